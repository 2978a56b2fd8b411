package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.zip.CRC32C;
import tandem.consistency.After;

/// Messages as frames: a header of fixed length, then the fields, all little-endian. `docs/wire.md` shows the bytes.
///
/// The header is the CRC-32C of all that follows it (4 bytes), the length of the whole frame (4), the version of the
/// format (1), what kind of message it is (1), and whether it is whole (2).
public final class Codec {

    /// Bytes of the header.
    public static final int HEADER = 12;

    /// The version of the format; frames of any other are refused.
    public static final int VERSION = 3;

    /// Bytes of the longest frame on a connection; a longer message is cut into pieces.
    public static final int PIECE = 1 << 17;

    /// What a frame is: a message, a piece of one that is followed by more, or the last piece.
    static final int WHOLE = 0;

    static final int MORE = 1;
    static final int LAST = 2;

    private static final int LENGTH_AT = 4;
    private static final int VERSION_AT = 8;
    static final int KIND_AT = 9;
    private static final int FLAGS_AT = 10;

    /// The number of a message's kind in a frame, for good.
    private static final int UPDATE = 1;

    private static final int APPLIED = 2;
    private static final int PULL = 3;
    private static final int ROWS = 4;
    private static final int UNKNOWN_KEYS = 5;
    private static final int HELD = 6;
    private static final int FENCED = 7;
    private static final int JOIN = 8;
    private static final int PLACED = 9;
    private static final int HEARTBEAT = 10;
    private static final int ORDER = 11;
    private static final int DONE = 12;
    private static final int PUSH_PULL = 13;
    private static final int UPDATED = 14;
    private static final int CHANGE = 15;
    private static final int COMPUTE = 16;
    private static final int COMPUTED = 17;
    private static final int REFUSED = 18;
    private static final int GUIDE = 19;
    private static final int GUIDED = 20;
    private static final int ASK = 21;
    private static final int GIVEN = 22;
    private static final int CREATE = 23;
    private static final int DROP = 24;
    private static final int LAID = 25;
    private static final int FOLLOW = 30;
    private static final int FOLLOWED = 31;
    private static final int REFRESH = 32;
    private static final int UNFOLLOW = 33;
    private static final int SETTLED = 34;
    private static final int MEET = 40;
    private static final int MET = 41;
    private static final int SUM_PIECE = 42;
    private static final int WANTED = 43;
    private static final int GOT = 44;
    private static final int SENT = 45;
    private static final int SEATED = 50;
    private static final int FORWARD = 51;
    private static final int STORED = 52;
    private static final int GIVE = 53;
    private static final int TAKEN = 54;
    private static final int COPY = 55;
    private static final int WHOLE_SEAT = 56;
    private static final int CAUGHT_UP = 57;
    private static final int RENEW = 58;
    private static final int RENEWED = 59;
    private static final int CLAIM = 60;
    private static final int CLAIMED = 61;
    private static final int MANAGE = 62;
    private static final int MANAGED = 63;
    private static final int AHEAD = 64;
    private static final int REST = 65;
    private static final int MERGED = 66;

    /// The least bytes of a refusal.
    private static final int REFUSED_BYTES = 1 + Integer.BYTES + Long.BYTES + Integer.BYTES;

    private Codec() {}

    /// The exact bytes of the frame that [#encode] would make.
    public static long length(Message message) {
        Sink.Count count = new Sink.Count();
        write(message, count);
        return HEADER + count.bytes();
    }

    /// Puts a message into `into`, as one frame from its position on; there must be room for its [#length].
    public static void encode(Message message, ByteBuffer into) {
        ByteBuffer frame = into.slice().order(ByteOrder.LITTLE_ENDIAN);
        frame.position(HEADER);
        write(message, new Sink.Fill(frame));
        seal(frame.flip(), kind(message), WHOLE);
        into.position(into.position() + frame.limit());
    }

    /// Puts a message into as many frames as it takes, none longer than [#PIECE].
    public static void encode(Message message, Frames frames) {
        Cut cut = new Cut(kind(message), frames);
        write(message, cut);
        cut.end();
    }

    /// Fills in the header of a frame.
    static void seal(ByteBuffer frame, int kind, int flags) {
        frame.putInt(LENGTH_AT, frame.limit());
        frame.put(VERSION_AT, (byte) VERSION);
        frame.put(KIND_AT, (byte) kind);
        frame.putShort(FLAGS_AT, (short) flags);
        frame.putInt(0, checksum(frame));
    }

    /// The length of the frame that starts at the position of `bytes`, or −1 while too little of it is there to tell.
    public static int frameLength(ByteBuffer bytes, Limits limits) {
        if (bytes.remaining() < HEADER) {
            return -1;
        }
        int at = bytes.position() + LENGTH_AT;
        int length =
                bytes.order() == ByteOrder.LITTLE_ENDIAN ? bytes.getInt(at) : Integer.reverseBytes(bytes.getInt(at));
        if (length < HEADER || length > limits.frameBytes()) {
            throw new ProtocolError("a frame of " + Integer.toUnsignedString(length) + " bytes; frames have " + HEADER
                    + " to " + limits.frameBytes());
        }
        return length;
    }

    /// The message of a whole frame, which reaches from the position of `bytes` to its limit. Its arrays are its own.
    public static Message decode(ByteBuffer bytes, Limits limits) {
        ByteBuffer frame = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (open(frame, limits) != WHOLE) {
            throw new ProtocolError("a piece of a message where a whole one was to come");
        }
        return read(frame.get(KIND_AT), List.of(frame.position(HEADER)), limits);
    }

    /// Checks the header of a whole frame or piece and says which it is.
    static int open(ByteBuffer frame, Limits limits) {
        if (frameLength(frame, limits) != frame.remaining()) {
            throw new ProtocolError("a frame is cut short: only " + frame.remaining() + " bytes are there");
        }
        if (frame.getInt(0) != checksum(frame)) {
            throw new ProtocolError("a frame was damaged on its way: its checksum is not that of its bytes");
        }
        int flags = frame.getShort(FLAGS_AT);
        if (frame.get(VERSION_AT) != VERSION || flags < WHOLE || flags > LAST) {
            throw new ProtocolError("a frame of version " + frame.get(VERSION_AT) + "; this node speaks version "
                    + VERSION + ", so start all nodes from the same release");
        }
        return flags;
    }

    /// The message whose fields are in `bodies`, one after another.
    static Message read(int kind, List<ByteBuffer> bodies, Limits limits) {
        return readAll(kind, new Source(bodies, limits));
    }

    static Message readAll(int kind, Source source) {
        Message message = read(kind, source);
        source.end();
        return message;
    }

    /// The checksum of a frame: of all but its own four bytes.
    private static int checksum(ByteBuffer frame) {
        CRC32C crc = new CRC32C();
        frame.position(LENGTH_AT);
        crc.update(frame);
        frame.position(0);
        return (int) crc.getValue();
    }

    private static int kind(Message message) {
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

    private static void write(Message message, Sink sink) {
        switch (message) {
            case Message.Seated(int seat, Message about) -> {
                sink.int32(seat);
                within(about, sink);
            }
            case Message.Forward(long epoch, long number, Message update) -> {
                sink.int64(epoch);
                sink.int64(number);
                within(update, sink);
            }
            case Message.Stored(long epoch, long number) -> {
                sink.int64(epoch);
                sink.int64(number);
            }
            case Message.Give(long epoch, long item, Message what) -> {
                sink.int64(epoch);
                sink.int64(item);
                within(what, sink);
            }
            case Message.Taken(long epoch, long item) -> {
                sink.int64(epoch);
                sink.int64(item);
            }
            case Message.Copy(Part part, boolean last) -> {
                PartCodec.write(new Part[] {part}, sink);
                sink.int8(last ? 1 : 0);
            }
            case Message.Whole(
                    long number,
                    long[] leases,
                    long[] upTo,
                    long[] clocks,
                    long[] beyond,
                    List<Message.Refused> refused) -> {
                sink.int64(number);
                write(leases, sink);
                write(upTo, sink);
                write(clocks, sink);
                write(beyond, sink);
                sink.int32(refused.size());
                refused.forEach(one -> write(one, sink));
            }
            case Message.Renew(long epoch, long stamp) -> {
                sink.int64(epoch);
                sink.int64(stamp);
            }
            case Message.Renewed(long stamp) -> sink.int64(stamp);
            case Message.Manage(long request, String what, int number) -> {
                sink.int64(request);
                sink.text(what);
                sink.int32(number);
            }
            case Message.Managed(long request, boolean failed, String text) -> {
                sink.int64(request);
                sink.int8(failed ? 1 : 0);
                sink.blob(text.getBytes(StandardCharsets.UTF_8));
            }
            case Message.Claim(long epoch, int stream, long lease) -> {
                sink.int64(epoch);
                sink.int32(stream);
                sink.int64(lease);
            }
            case Message.Claimed(int stream, long lease, long upTo, long clock) -> {
                sink.int32(stream);
                sink.int64(lease);
                sink.int64(upTo);
                sink.int64(clock);
            }
            case Message.CaughtUp(long epoch, int seat) -> {
                sink.int64(epoch);
                sink.int32(seat);
            }
            case Message.Update update -> write(update, sink);
            case Message.PushPull(Message.Update update) -> write(update, sink);
            case Message.Ahead(long epoch, int stream, long lease, long sequence, int first, Part[] parts) -> {
                sink.int64(epoch);
                sink.int32(stream);
                sink.int64(lease);
                sink.int64(sequence);
                sink.int32(first);
                PartCodec.write(parts, sink);
            }
            case Message.Rest(int ahead, Message.Update update) -> {
                sink.int32(ahead);
                write(update, sink);
            }
            case Message.Merged(long[] of, Part[] parts) -> {
                write(of, sink);
                PartCodec.write(parts, sink);
            }
            case Message.Updated(int stream, long sequence, long slowest, Values[] values) -> {
                sink.int32(stream);
                sink.int64(sequence);
                sink.int64(slowest);
                ValuesCodec.write(values, sink);
            }
            case Message.Change(
                    long epoch,
                    int stream,
                    long lease,
                    long sequence,
                    long clock,
                    int table,
                    String function,
                    Figures with) -> {
                sink.int64(epoch);
                sink.int32(stream);
                sink.int64(lease);
                sink.int64(sequence);
                sink.int64(clock);
                sink.int32(table);
                sink.text(function);
                FiguresCodec.write(with, sink);
            }
            case Message.Applied(int stream, long sequence) -> {
                sink.int32(stream);
                sink.int64(sequence);
            }
            case Message.Pull(
                    long epoch,
                    long request,
                    int stream,
                    After after,
                    boolean make,
                    boolean held,
                    Part[] parts) -> {
                sink.int64(epoch);
                sink.int64(request);
                sink.int32(stream);
                write(after, sink);
                sink.int8(make ? 1 : 0);
                sink.int8(held ? 1 : 0);
                PartCodec.write(parts, sink);
            }
            case Message.Rows(long request, long slowest, long updates, Values[] values) -> {
                sink.int64(request);
                sink.int64(slowest);
                sink.int64(updates);
                ValuesCodec.write(values, sink);
            }
            case Message.Compute(
                    long epoch,
                    long request,
                    int stream,
                    After after,
                    int table,
                    String function,
                    Figures with) -> {
                sink.int64(epoch);
                sink.int64(request);
                sink.int32(stream);
                write(after, sink);
                sink.int32(table);
                sink.text(function);
                FiguresCodec.write(with, sink);
            }
            case Message.Computed(long request, long slowest, Figures[] results) -> {
                sink.int64(request);
                sink.int64(slowest);
                FiguresCodec.write(results, sink);
            }
            case Message.Refused(boolean inRead, int stream, long number, String why) -> {
                sink.int8(inRead ? 1 : 0);
                sink.int32(stream);
                sink.int64(number);
                sink.text(why);
            }
            case Message.Follow(Message.Pull pull) -> write(pull, sink);
            case Message.Settled(Message.Pull pull) -> write(pull, sink);
            case Message.Followed(long refreshes, long[] absent, Message.Rows rows) -> {
                sink.int64(refreshes);
                write(absent, sink);
                write(rows, sink);
            }
            case Message.Refresh(long epoch, long number, long slowest, long own, long[] beyond, Part[] parts) -> {
                sink.int64(epoch);
                sink.int64(number);
                sink.int64(slowest);
                sink.int64(own);
                sink.int32(beyond.length);
                sink.longs(beyond, 0, beyond.length);
                PartCodec.write(parts, sink);
            }
            case Message.Unfollow(long epoch, long request, Part[] parts) -> {
                sink.int64(epoch);
                sink.int64(request);
                PartCodec.write(parts, sink);
            }
            case Message.Meet() -> {}
            case Message.Met(String[] places) -> {
                sink.int32(places.length);
                for (String place : places) {
                    sink.text(place);
                }
            }
            case Message.Piece(long number, int topology, int length, int index, Values values) -> {
                sink.int64(number);
                sink.int8(topology);
                sink.int32(length);
                sink.int32(index);
                ValuesCodec.write(values, sink);
            }
            case Message.Wanted(long number, long[] have) -> {
                sink.int64(number);
                sink.int32(have.length);
                sink.longs(have, 0, have.length);
            }
            case Message.Got(long number) -> sink.int64(number);
            case Message.Sent(long number) -> sink.int64(number);
            case Message.UnknownKeys(boolean inPull, int stream, long number) -> {
                sink.int8(inPull ? 1 : 0);
                sink.int32(stream);
                sink.int64(number);
            }
            case Message.Held(long request, int stream, long clock) -> {
                sink.int64(request);
                sink.int32(stream);
                sink.int64(clock);
            }
            case Message.Fenced(long epoch, int stream, long lease) -> {
                sink.int64(epoch);
                sink.int32(stream);
                sink.int64(lease);
            }
            case Message.Join(long incarnation, String place, long pid) -> {
                sink.int64(incarnation);
                sink.text(place);
                sink.int64(pid);
            }
            case Message.Placed placed -> LayoutCodec.write(placed, sink);
            case Message.Create(long request, TableSpec table) -> {
                sink.int64(request);
                LayoutCodec.write(table, sink);
            }
            case Message.Drop(long request, String table) -> {
                sink.int64(request);
                sink.text(table);
            }
            case Message.Laid(long request, String refused) -> {
                sink.int64(request);
                sink.text(refused);
            }
            case Message.Heartbeat(long epoch, long examples, double loss) -> {
                sink.int64(epoch);
                sink.int64(examples);
                sink.int64(Double.doubleToRawLongBits(loss));
            }
            case Message.Order(long number, byte[] what) -> {
                sink.int64(number);
                sink.blob(what);
            }
            case Message.Done(long number, boolean failed, byte[] result) -> {
                sink.int64(number);
                sink.int8(failed ? 1 : 0);
                sink.blob(result);
            }
            case Message.Guide(long number, long enough, String consistency) -> {
                sink.int64(number);
                sink.int64(enough);
                sink.text(consistency);
            }
            case Message.Guided(long number) -> sink.int64(number);
            case Message.Ask(long order, int number) -> {
                sink.int64(order);
                sink.int32(number);
            }
            case Message.Given(long order, int number, long first, long end, boolean counts) -> {
                sink.int64(order);
                sink.int32(number);
                sink.int64(first);
                sink.int64(end);
                sink.int8(counts ? 1 : 0);
            }
        }
    }

    private static void write(Message.Update update, Sink sink) {
        sink.int64(update.epoch());
        sink.int32(update.stream());
        sink.int64(update.lease());
        sink.int64(update.sequence());
        sink.int64(update.clock());
        write(update.age(), sink);
        PartCodec.write(update.parts(), sink);
    }

    private static void write(Age age, Sink sink) {
        sink.int8(age.isKnown() ? 1 : 0);
        if (age.isKnown()) {
            sink.int64(age.read());
            sink.int64(age.met());
        }
    }

    private static void write(After after, Sink sink) {
        sink.int64(after.own());
        sink.int64(after.everyone());
        sink.int64(Double.doubleToRawLongBits(after.share()));
    }

    private static Message read(int kind, Source from) {
        // Arguments are evaluated from left to right, so fields are read in the order they were written.
        return switch (kind) {
            case SEATED -> new Message.Seated(seat(from), about(from));
            case FORWARD -> new Message.Forward(from.int64(), from.int64(), within(from, Codec::changes));
            case STORED -> new Message.Stored(from.int64(), from.int64());
            case GIVE -> new Message.Give(from.int64(), from.int64(), within(from, Codec::isGiven));
            case TAKEN -> new Message.Taken(from.int64(), from.int64());
            case COPY -> new Message.Copy(part(from), from.bool());
            case WHOLE_SEAT ->
                new Message.Whole(from.int64(), longs(from), longs(from), longs(from), longs(from), refusals(from));
            case RENEW -> new Message.Renew(from.int64(), from.int64());
            case RENEWED -> new Message.Renewed(from.int64());
            case MANAGE -> new Message.Manage(from.int64(), from.text(), from.int32());
            case MANAGED ->
                new Message.Managed(
                        from.int64(),
                        from.bool(),
                        new String(from.blob(from.limits().frameBytes()), StandardCharsets.UTF_8));
            case CLAIM -> new Message.Claim(from.int64(), from.int32(), from.int64());
            case CLAIMED -> new Message.Claimed(from.int32(), from.int64(), from.int64(), from.int64());
            case CAUGHT_UP -> new Message.CaughtUp(from.int64(), seat(from));
            case UPDATE -> update(from);
            case PUSH_PULL -> new Message.PushPull(update(from));
            case UPDATED -> new Message.Updated(from.int32(), from.int64(), from.int64(), ValuesCodec.readAll(from));
            case CHANGE ->
                new Message.Change(
                        from.int64(),
                        from.int32(),
                        from.int64(),
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        from.text(),
                        FiguresCodec.read(from));
            case COMPUTE ->
                new Message.Compute(
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        after(from),
                        from.int32(),
                        from.text(),
                        FiguresCodec.read(from));
            case COMPUTED -> new Message.Computed(from.int64(), from.int64(), FiguresCodec.readAll(from));
            case REFUSED -> refused(from);
            case APPLIED -> new Message.Applied(from.int32(), from.int64());
            case PULL ->
                new Message.Pull(
                        from.int64(),
                        from.int64(),
                        from.int32(),
                        after(from),
                        from.bool(),
                        from.bool(),
                        PartCodec.read(from));
            case ROWS -> new Message.Rows(from.int64(), from.int64(), from.int64(), ValuesCodec.readAll(from));
            case FOLLOW -> new Message.Follow((Message.Pull) read(PULL, from));
            case SETTLED -> new Message.Settled((Message.Pull) read(PULL, from));
            case AHEAD ->
                new Message.Ahead(
                        from.int64(), from.int32(), from.int64(), from.int64(), from.int32(), PartCodec.read(from));
            case REST -> new Message.Rest(from.int32(), update(from));
            case MERGED -> merged(from);
            case FOLLOWED -> new Message.Followed(from.int64(), longs(from), (Message.Rows) read(ROWS, from));
            case REFRESH ->
                new Message.Refresh(
                        from.int64(), from.int64(), from.int64(), from.int64(), longs(from), PartCodec.read(from));
            case UNFOLLOW -> new Message.Unfollow(from.int64(), from.int64(), PartCodec.read(from));
            case MEET -> new Message.Meet();
            case MET -> new Message.Met(places(from));
            case SUM_PIECE ->
                new Message.Piece(from.int64(), from.int8(), from.int32(), from.int32(), ValuesCodec.read(from));
            case WANTED -> new Message.Wanted(from.int64(), longs(from));
            case GOT -> new Message.Got(from.int64());
            case SENT -> new Message.Sent(from.int64());
            case UNKNOWN_KEYS -> new Message.UnknownKeys(from.bool(), from.int32(), from.int64());
            case HELD -> new Message.Held(from.int64(), from.int32(), from.int64());
            case FENCED -> new Message.Fenced(from.int64(), from.int32(), from.int64());
            case JOIN -> new Message.Join(from.int64(), from.textOrNull(), from.int64());
            case PLACED -> LayoutCodec.read(from);
            case CREATE -> new Message.Create(from.int64(), LayoutCodec.table(from));
            case DROP -> new Message.Drop(from.int64(), from.text());
            case LAID -> new Message.Laid(from.int64(), from.textOrNull());
            case HEARTBEAT -> new Message.Heartbeat(from.int64(), from.int64(), from.float64());
            case ORDER ->
                new Message.Order(from.int64(), from.blob(from.limits().frameBytes()));
            case DONE ->
                new Message.Done(
                        from.int64(), from.bool(), from.blob(from.limits().frameBytes()));
            case GUIDE -> new Message.Guide(from.int64(), from.int64(), from.textOrNull());
            case GUIDED -> new Message.Guided(from.int64());
            case ASK -> new Message.Ask(from.int64(), from.int32());
            case GIVEN -> new Message.Given(from.int64(), from.int32(), from.int64(), from.int64(), from.bool());
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

    /// A message within another; none of those has room for one of its own kind.
    private static void within(Message message, Sink sink) {
        sink.int8(kind(message));
        write(message, sink);
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
        Message message = within(from, kind -> kind != SEATED);
        if (!Rights.isOfSeat(message)) {
            throw new ProtocolError("a message about a seat that is about none");
        }
        return message;
    }

    private static boolean changes(int kind) {
        return kind == UPDATE || kind == REST || kind == MERGED || kind == CHANGE || kind == CLAIM;
    }

    private static boolean isGiven(int kind) {
        return changes(kind) || kind == FORWARD || kind == COPY || kind == WHOLE_SEAT;
    }

    private static Part part(Source from) {
        Part[] parts = PartCodec.read(from);
        if (parts.length != 1) {
            throw new ProtocolError("a copy of " + parts.length + " parts; there is one in each");
        }
        return parts[0];
    }

    private static void write(long[] numbers, Sink sink) {
        sink.int32(numbers.length);
        sink.longs(numbers, 0, numbers.length);
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
