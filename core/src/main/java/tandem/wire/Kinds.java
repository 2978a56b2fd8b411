package tandem.wire;

/// The numbers of kinds of messages in frames. They are for good.
final class Kinds {

    static final int UPDATE = 1;
    static final int APPLIED = 2;
    static final int PULL = 3;
    static final int ROWS = 4;
    static final int UNKNOWN_KEYS = 5;
    static final int HELD = 6;
    static final int FENCED = 7;
    static final int JOIN = 8;
    static final int PLACED = 9;
    static final int HEARTBEAT = 10;
    static final int ORDER = 11;
    static final int DONE = 12;
    static final int PUSH_PULL = 13;
    static final int UPDATED = 14;
    static final int CHANGE = 15;
    static final int COMPUTE = 16;
    static final int COMPUTED = 17;
    static final int REFUSED = 18;
    static final int GUIDE = 19;
    static final int GUIDED = 20;
    static final int ASK = 21;
    static final int GIVEN = 22;
    static final int CREATE = 23;
    static final int DROP = 24;
    static final int LAID = 25;
    static final int FOLLOW = 30;
    static final int FOLLOWED = 31;
    static final int REFRESH = 32;
    static final int UNFOLLOW = 33;
    static final int SETTLED = 34;
    static final int MEET = 40;
    static final int MET = 41;
    static final int SUM_PIECE = 42;
    static final int WANTED = 43;
    static final int GOT = 44;
    static final int SENT = 45;
    static final int SEATED = 50;
    static final int FORWARD = 51;
    static final int STORED = 52;
    static final int GIVE = 53;
    static final int TAKEN = 54;
    static final int COPY = 55;
    static final int WHOLE_SEAT = 56;
    static final int CAUGHT_UP = 57;
    static final int RENEW = 58;
    static final int RENEWED = 59;
    static final int CLAIM = 60;
    static final int CLAIMED = 61;
    static final int MANAGE = 62;
    static final int MANAGED = 63;
    static final int AHEAD = 64;
    static final int REST = 65;
    static final int MERGED = 66;

    private Kinds() {}

    static int of(Message message) {
        return switch (message) {
            case Message.Seated _ -> SEATED;
            case Message.Forward _ -> FORWARD;
            case Message.Stored _ -> STORED;
            case Message.Give _ -> GIVE;
            case Message.Taken _ -> TAKEN;
            case Message.Copy _ -> COPY;
            case Message.Whole _ -> WHOLE_SEAT;
            case Message.CaughtUp _ -> CAUGHT_UP;
            case Message.Renew _ -> RENEW;
            case Message.Renewed _ -> RENEWED;
            case Message.Claim _ -> CLAIM;
            case Message.Claimed _ -> CLAIMED;
            case Message.Manage _ -> MANAGE;
            case Message.Managed _ -> MANAGED;
            case Message.Ahead _ -> AHEAD;
            case Message.Rest _ -> REST;
            case Message.Merged _ -> MERGED;
            case Message.Update _ -> UPDATE;
            case Message.Applied _ -> APPLIED;
            case Message.Pull _ -> PULL;
            case Message.Rows _ -> ROWS;
            case Message.Follow _ -> FOLLOW;
            case Message.Followed _ -> FOLLOWED;
            case Message.Settled _ -> SETTLED;
            case Message.Refresh _ -> REFRESH;
            case Message.Unfollow _ -> UNFOLLOW;
            case Message.Meet _ -> MEET;
            case Message.Met _ -> MET;
            case Message.Piece _ -> SUM_PIECE;
            case Message.Wanted _ -> WANTED;
            case Message.Got _ -> GOT;
            case Message.Sent _ -> SENT;
            case Message.UnknownKeys _ -> UNKNOWN_KEYS;
            case Message.Held _ -> HELD;
            case Message.Fenced _ -> FENCED;
            case Message.Join _ -> JOIN;
            case Message.Placed _ -> PLACED;
            case Message.Heartbeat _ -> HEARTBEAT;
            case Message.Order _ -> ORDER;
            case Message.Done _ -> DONE;
            case Message.PushPull _ -> PUSH_PULL;
            case Message.Updated _ -> UPDATED;
            case Message.Change _ -> CHANGE;
            case Message.Compute _ -> COMPUTE;
            case Message.Computed _ -> COMPUTED;
            case Message.Refused _ -> REFUSED;
            case Message.Guide _ -> GUIDE;
            case Message.Guided _ -> GUIDED;
            case Message.Ask _ -> ASK;
            case Message.Given _ -> GIVEN;
            case Message.Create _ -> CREATE;
            case Message.Drop _ -> DROP;
            case Message.Laid _ -> LAID;
        };
    }
}
