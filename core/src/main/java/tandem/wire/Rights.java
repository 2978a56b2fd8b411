package tandem.wire;

import static tandem.wire.Address.Role.COORDINATOR;
import static tandem.wire.Address.Role.OPERATOR;
import static tandem.wire.Address.Role.READER;
import static tandem.wire.Address.Role.SERVER;
import static tandem.wire.Address.Role.WORKER;

/// Who may say what: the one gate in front of every node that strangers can reach.
public final class Rights {

    private Rights() {}

    /// Whether a message is one that nodes of this kind send.
    public static boolean allow(Address.Role role, Message message) {
        return switch (message) {
            case Message.Seated(int _, Message about) -> isOfSeat(about) && allow(role, about);
            case Message.Heartbeat _ -> role != OPERATOR;
            case Message.Join _ -> role != COORDINATOR && role != OPERATOR;
            case Message.Manage _ -> role == OPERATOR;
            case Message.Pull pull -> role == WORKER || !pull.make() && (role == COORDINATOR || role == READER);
            case Message.Settled(Message.Pull pull) -> allow(role, pull);
            case Message.Compute _ -> role == WORKER || role == COORDINATOR || role == READER;
            case Message.Ahead _ -> role == WORKER || role == SERVER;
            case Message.Update _,
                    Message.Rest _,
                    Message.PushPull _,
                    Message.Change _,
                    Message.Claim _,
                    Message.Follow _,
                    Message.Unfollow _,
                    Message.Create _,
                    Message.Drop _,
                    Message.Ask _,
                    Message.Meet _,
                    Message.Piece _,
                    Message.Wanted _,
                    Message.Got _,
                    Message.Sent _ -> role == WORKER;
            case Message.Done _, Message.Guided _ -> role == WORKER || role == SERVER;
            case Message.Applied _,
                    Message.Claimed _,
                    Message.Forward _,
                    Message.Stored _,
                    Message.Give _,
                    Message.Taken _,
                    Message.CaughtUp _,
                    Message.Renew _,
                    Message.Updated _,
                    Message.Rows _,
                    Message.Computed _,
                    Message.Refused _,
                    Message.Followed _,
                    Message.Refresh _,
                    Message.UnknownKeys _,
                    Message.Held _,
                    Message.Fenced _ -> role == SERVER;
            case Message.Copy _, Message.Whole _, Message.Merged _ -> false; // they come within others
            case Message.Placed _,
                    Message.Renewed _,
                    Message.Managed _,
                    Message.Laid _,
                    Message.Order _,
                    Message.Guide _,
                    Message.Given _,
                    Message.Met _ -> role == COORDINATOR;
        };
    }

    /// Whether it is said about a seat, and so never by itself.
    public static boolean isOfSeat(Message message) {
        return switch (message) {
            case Message.Update _,
                    Message.Ahead _,
                    Message.Rest _,
                    Message.Applied _,
                    Message.Claim _,
                    Message.Claimed _,
                    Message.Forward _,
                    Message.Stored _,
                    Message.Give _,
                    Message.Taken _,
                    Message.PushPull _,
                    Message.Updated _,
                    Message.Change _,
                    Message.Read _,
                    Message.Rows _,
                    Message.Computed _,
                    Message.Refused _,
                    Message.Followed _,
                    Message.Refresh _,
                    Message.Unfollow _,
                    Message.UnknownKeys _,
                    Message.Held _,
                    Message.Fenced _ -> true;
            default -> false;
        };
    }
}
