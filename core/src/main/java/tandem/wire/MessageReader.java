package tandem.wire;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import tandem.consistency.After;

/// The fields of messages, as they are read one after another; [MessageWriter] writes them. What no node would write is
/// refused.
final class MessageReader {

    /// The least bytes of a refusal.
    private static final int REFUSED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;

    private MessageReader() {}

    static Message read(int kind, Source from) {
        // Arguments are evaluated from left to right, so fields are read in the order they were written.
        return switch (kind) {
            case Kinds.SEATED -> new Message.Seated(seat(from), about(from));
            case Kinds.FORWARD -> new Message.Forward(from.int64(), from.int64(), within(from, MessageReader::changes));
            case Kinds.STORED -> new Message.Stored(from.int64(), from.int64());
            case Kinds.GIVE -> new Message.Give(from.int64(), from.int64(), within(from, MessageReader::isGiven));
            case Kinds.TAKEN -> new Message.Taken(from.int64(), from.int64());
            case Kinds.COPY -> new Message.Copy(part(from), from.bool());
            case Kinds.WHOLE_SEAT ->
                new Message.Whole(from.int64(), longs(from), longs(from), longs(from), longs(from), refusals(from));
            case Kinds.RENEW -> new Message.Renew(from.int64(), from.int64());
            case Kinds.RENEWED -> new Message.Renewed(from.int64());
            case Kinds.MANAGE -> new Message.Manage(from.int64(), from.text(), from.int32());
            case Kinds.MANAGED ->
                new Message.Managed(
                        from.int64(), from.bool(), from.text(from.limits().frameBytes()));
            case Kinds.CLAIM -> new Message.Claim(from.int64(), from.int32(), from.int64());
            case Kinds.CLAIMED -> new Message.Claimed(from.int32(), from.int64(), from.int64(), from.int64());
            case Kinds.CAUGHT_UP -> new Message.CaughtUp(from.int64(), seat(from));
            case Kinds.UPDATE -> update(from);
            case Kinds.PUSH_PULL -> new Message.PushPull(update(from));
            case Kinds.UPDATED ->
                new Message.Updated(from.int32(), from.int64(), from.int64(), ValuesCodec.readAll(from));
            case Kinds.CHANGE ->
                new Message.Change(
                        from.int64(),
                        from.int32(),
                        from.int64(),
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        from.text(),
                        FiguresCodec.read(from));
            case Kinds.COMPUTE ->
                new Message.Compute(
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        after(from),
                        from.int32(),
                        from.text(),
                        FiguresCodec.read(from));
            case Kinds.COMPUTED -> new Message.Computed(from.int64(), from.int64(), FiguresCodec.readAll(from));
            case Kinds.REFUSED -> refused(from);
            case Kinds.APPLIED -> new Message.Applied(from.int32(), from.int64());
            case Kinds.PULL ->
                new Message.Pull(
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        after(from),
                        from.bool(),
                        from.bool(),
                        PartCodec.read(from));
            case Kinds.ROWS -> new Message.Rows(from.int64(), from.int64(), from.int64(), ValuesCodec.readAll(from));
            case Kinds.FOLLOW -> new Message.Follow((Message.Pull) read(Kinds.PULL, from));
            case Kinds.SETTLED -> new Message.Settled((Message.Pull) read(Kinds.PULL, from));
            case Kinds.AHEAD ->
                new Message.Ahead(
                        from.int64(), from.int32(), from.int64(), from.int64(), from.int32(), PartCodec.read(from));
            case Kinds.REST -> new Message.Rest(from.int32(), update(from));
            case Kinds.MERGED -> merged(from);
            case Kinds.FOLLOWED ->
                new Message.Followed(from.int64(), longs(from), (Message.Rows) read(Kinds.ROWS, from));
            case Kinds.REFRESH ->
                new Message.Refresh(
                        from.int64(), from.int64(), from.int64(), from.int64(), longs(from), PartCodec.read(from));
            case Kinds.UNFOLLOW -> new Message.Unfollow(from.int64(), from.int64(), PartCodec.read(from));
            case Kinds.MEET -> new Message.Meet();
            case Kinds.MET -> new Message.Met(places(from));
            case Kinds.SUM_PIECE ->
                new Message.Piece(from.int64(), from.int8(), from.int32(), from.int32(), ValuesCodec.read(from));
            case Kinds.WANTED -> new Message.Wanted(from.int64(), longs(from));
            case Kinds.GOT -> new Message.Got(from.int64());
            case Kinds.SENT -> new Message.Sent(from.int64());
            case Kinds.UNKNOWN_KEYS -> new Message.UnknownKeys(from.bool(), from.int32(), from.int64());
            case Kinds.HELD -> new Message.Held(from.int64(), from.int32(), from.int64());
            case Kinds.FENCED -> new Message.Fenced(from.int64(), from.int32(), from.int64());
            case Kinds.JOIN -> new Message.Join(from.int64(), from.textOrNull(), from.int64());
            case Kinds.PLACED -> LayoutCodec.read(from);
            case Kinds.CREATE -> new Message.Create(from.int64(), LayoutCodec.table(from));
            case Kinds.DROP -> new Message.Drop(from.int64(), from.text());
            case Kinds.LAID -> new Message.Laid(from.int64(), from.textOrNull());
            case Kinds.HEARTBEAT -> new Message.Heartbeat(from.int64(), from.int64(), from.float64());
            case Kinds.ORDER ->
                new Message.Order(from.int64(), from.blob(from.limits().frameBytes()));
            case Kinds.DONE ->
                new Message.Done(
                        from.int64(), from.bool(), from.blob(from.limits().frameBytes()));
            case Kinds.GUIDE -> new Message.Guide(from.int64(), from.int64(), from.textOrNull());
            case Kinds.GUIDED -> new Message.Guided(from.int64());
            case Kinds.ASK -> new Message.Ask(from.int64(), from.int32());
            case Kinds.GIVEN -> new Message.Given(from.int64(), from.int32(), from.int64(), from.int64(), from.bool());
            default -> throw new ProtocolError("a message of kind " + kind + ", which is not known here");
        };
    }

    private static int seat(Source from) {
        int seat = from.int32();
        if (seat < 0 || seat >= from.limits().nodes()) {
            throw new ProtocolError("a message about seat " + seat + "; seats are numbered from 0 to "
                    + (from.limits().nodes() - 1));
        }
        return seat;
    }

    /// What kind it is, is looked at before it is read: otherwise messages could be within each other without end.
    private static Message within(Source from, IntPredicate may) {
        int kind = from.int8();
        if (!may.test(kind)) {
            throw new ProtocolError("a message of kind " + kind + " within another, where it cannot be");
        }
        return read(kind, from);
    }

    private static Message about(Source from) {
        Message message = within(from, kind -> kind != Kinds.SEATED);
        if (!Rights.isOfSeat(message)) {
            throw new ProtocolError("a message about a seat that is about none");
        }
        return message;
    }

    private static boolean changes(int kind) {
        return kind == Kinds.UPDATE
                || kind == Kinds.REST
                || kind == Kinds.MERGED
                || kind == Kinds.CHANGE
                || kind == Kinds.CLAIM;
    }

    private static boolean isGiven(int kind) {
        return changes(kind) || kind == Kinds.FORWARD || kind == Kinds.COPY || kind == Kinds.WHOLE_SEAT;
    }

    private static Part part(Source from) {
        Part[] parts = PartCodec.read(from);
        if (parts.length != 1) {
            throw new ProtocolError("a copy of " + parts.length + " parts; there is one in each");
        }
        return parts[0];
    }

    private static Message.Merged merged(Source from) {
        long[] of = longs(from);
        if (of.length % Message.Merged.NUMBERS != 0) {
            throw new ProtocolError(of.length + " numbers of merged updates; each has " + Message.Merged.NUMBERS);
        }
        return new Message.Merged(of, PartCodec.read(from));
    }

    private static Message.Update update(Source from) {
        return new Message.Update(
                from.int64(), from.int32(), from.int64(), from.int64(), from.int64(), age(from), PartCodec.read(from));
    }

    private static Age age(Source from) {
        if (!from.bool()) {
            return Age.UNKNOWN;
        }
        Age age = new Age(from.int64(), from.int64());
        if (age.read() < 0 || age.met() < 0) {
            throw new ProtocolError(
                    "an update of rows that had " + age.read() + " and " + age.met() + " updates; they have 0 or more");
        }
        return age;
    }

    private static After after(Source from) {
        try {
            return new After(from.int64(), from.int64(), from.float64());
        } catch (IllegalArgumentException e) {
            throw new ProtocolError(e.getMessage(), e);
        }
    }

    private static long[] longs(Source from) {
        return from.longs(from.count(from.limits().keys(), Long.BYTES, "numbers"));
    }

    private static Message.Refused refused(Source from) {
        return new Message.Refused(from.bool(), from.int32(), from.int64(), from.text());
    }

    private static List<Message.Refused> refusals(Source from) {
        Message.Refused[] refused = new Message.Refused[from.count(from.limits().keys(), REFUSED_BYTES, "refusals")];
        Arrays.setAll(refused, _ -> refused(from));
        return List.of(refused);
    }

    private static String[] places(Source from) {
        String[] places = new String[from.count(from.limits().nodes(), Integer.BYTES, "places")];
        for (int node = 0; node < places.length; node++) {
            places[node] = from.textOrNull();
        }
        return places;
    }
}
