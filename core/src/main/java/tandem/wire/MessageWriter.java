package tandem.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;
import tandem.consistency.After;

/// The fields of messages, as they are written one after another; [MessageReader] reads them.
final class MessageWriter {

    private MessageWriter() {}

    static void write(Message message, Sink sink) {
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

    /// A message within another; none of those has room for one of its own kind.
    private static void within(Message message, Sink sink) {
        sink.int8(Kinds.of(message));
        write(message, sink);
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

    private static void write(long[] numbers, Sink sink) {
        sink.int32(numbers.length);
        sink.longs(numbers, 0, numbers.length);
    }
}
