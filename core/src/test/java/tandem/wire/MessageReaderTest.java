package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole frames, with a right checksum, of messages that no node would write.
class MessageReaderTest {

    private static final Message BEAT = new Message.Heartbeat(1, 2, 3);
    private static final Message STORED = new Message.Stored(1, 2);
    private static final TableSpec TABLE = TableSpec.sparse("t", 1).withShards(2);

    /// So little that it is easily exceeded: 3 of each, but for names.
    private static final Limits FEW = new Limits(1 << 16, 3, 3, 3, 3, 3, 10);

    private static ByteBuffer frame(int kind, Consumer<Sink> fields) {
        ByteBuffer frame = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
        frame.position(Codec.HEADER);
        fields.accept(new Sink.Fill(frame));
        Codec.seal(frame.flip(), kind, Codec.WHOLE);
        return frame;
    }

    private static void refused(String why, Limits limits, int kind, Consumer<Sink> fields) {
        String said = assertThrows(ProtocolError.class, () -> Codec.decode(frame(kind, fields), limits))
                .getMessage();
        assertTrue(said.contains(why), said);
    }

    private static void refused(String why, int kind, Consumer<Sink> fields) {
        refused(why, Limits.DEFAULT, kind, fields);
    }

    private static void refused(String why, Limits limits, Message message) {
        refused(why, limits, Kinds.of(message), sink -> MessageWriter.write(message, sink));
    }

    private static void refused(String why, Message message) {
        refused(why, Limits.DEFAULT, message);
    }

    private static void taken(Limits limits, Message message) {
        Codec.decode(frame(Kinds.of(message), sink -> MessageWriter.write(message, sink)), limits);
    }

    private static void ints(Sink sink, int... numbers) {
        for (int number : numbers) {
            sink.int32(number);
        }
    }

    @Test
    void a_seat_is_one_that_can_be() {
        taken(Limits.DEFAULT, new Message.Seated(65_535, STORED));
        refused("seat -1", new Message.Seated(-1, STORED));
        refused("seat 65536", new Message.Seated(65_536, STORED));
        refused("seat 65536", new Message.CaughtUp(1, 65_536));
    }

    /// Within each other without end they would take the whole stack.
    @Test
    void a_message_is_within_another_only_where_it_belongs() {
        refused("kind 50 within another", new Message.Seated(0, new Message.Seated(0, STORED)));
        refused("about a seat that is about none", new Message.Seated(0, BEAT));
        refused("kind 10 within another", new Message.Forward(1, 2, BEAT));
        refused("kind 51 within another", new Message.Forward(1, 2, new Message.Forward(1, 2, BEAT)));
        refused("kind 10 within another", new Message.Give(1, 2, BEAT));
        refused("kind 53 within another", new Message.Give(1, 2, new Message.Give(1, 2, BEAT)));
    }

    @Test
    void merged_updates_are_told_of_with_all_their_numbers() {
        refused("5 numbers of merged updates", new Message.Merged(new long[5], new Part[0]));
    }

    @Test
    void nothing_is_younger_than_what_was_there_first() {
        for (long[] age : new long[][] {{-1, 0}, {0, -1}}) {
            refused("an update of rows that had " + age[0] + " and " + age[1], Kinds.UPDATE, sink -> {
                sink.int64(1);
                sink.int32(2);
                sink.longs(new long[3], 0, 3);
                sink.int8(1);
                sink.longs(age, 0, 2);
                sink.int32(0);
            });
        }
    }

    @Test
    void a_copy_is_of_one_part() {
        for (int count : new int[] {0, 2}) {
            Part[] parts =
                    Collections.nCopies(count, part(0, 0, Keys.range(0, 1), 1)).toArray(Part[]::new);
            refused("a copy of " + count + " parts", Kinds.COPY, sink -> {
                PartCodec.write(parts, sink);
                sink.int8(0);
            });
        }
    }

    private static Part part(int table, int shard, Keys keys, int width) {
        return new Part(table, shard, keys, 0, keys.count(), width, null);
    }

    private static Message unfollow(Part... parts) {
        return new Message.Unfollow(1, 2, parts);
    }

    @Test
    void a_part_is_within_the_limits() {
        Part good = part(0, 0, Keys.range(0, 3), 1);
        taken(FEW, unfollow(good, good, good));
        refused("4 parts in a frame; at most 3", FEW, unfollow(good, good, good, good));
        refused("with 4 rows of 1; at most 3 rows", FEW, unfollow(part(0, 0, Keys.range(0, 4), 1)));
        refused("with -1 rows", unfollow(part(0, 0, Keys.range(0, -1), 1)));
        refused("a part of table -1", unfollow(part(-1, 0, Keys.range(0, 3), 1)));
        refused("shard -1", unfollow(part(0, -1, Keys.range(0, 3), 1)));
        refused("rows of 0", unfollow(part(0, 0, Keys.range(0, 3), 0)));
    }

    /// One bit each: a list, a signature, values, a range, packed keys, and what nobody knows.
    @ParameterizedTest
    @ValueSource(ints = {0, 4, 1 | 8, 1 | 16, 8 | 16, 1 | 2 | 16, 2 | 8, 1 | 32, 2 | 32})
    void the_keys_of_a_part_are_told_once(int has) {
        refused("a part of kind " + has, Kinds.UNFOLLOW, sink -> {
            sink.longs(new long[2], 0, 2);
            ints(sink, 1, 0, 0, 0, 1);
            sink.int8(has);
            sink.longs(new long[4], 0, 4);
        });
    }

    @Test
    void lists_are_within_the_limits() {
        refused("4 numbers", FEW, new Message.Wanted(1, new long[4]));
        refused("4 places", FEW, new Message.Met(new String[4]));
        List<Message.Refused> refusals = Collections.nCopies(4, new Message.Refused(false, 1, 2, ""));
        long[] none = {};
        refused("4 refusals", FEW, new Message.Whole(1, none, none, none, none, refusals));
        refused("11 bytes", FEW, new Message.Drop(1, "x".repeat(11)));
    }

    private static Message placed(Layout layout) {
        return new Message.Placed(layout, new String[0], new Lease[0]);
    }

    private static Layout layout(int streams, int[] owners, Chain... chains) {
        return new Layout(1, new TableSpec[] {TABLE}, new int[][] {owners}, streams, chains);
    }

    @Test
    void a_layout_is_within_the_limits() {
        Chain chain = Chain.of(0, 1, 2);
        int[] owners = {0, 2};
        Layout good = layout(3, owners, chain, chain, chain);
        taken(FEW, new Message.Placed(good, new String[3], leases(3)));
        refused("4 places", FEW, new Message.Placed(good, new String[4], leases(3)));
        refused("4 leases", FEW, new Message.Placed(good, new String[3], leases(4)));
        refused("4 streams", FEW, placed(layout(4, owners, chain, chain, chain)));
        refused("-1 streams", FEW, placed(layout(-1, owners, chain, chain, chain)));
        refused("4 seats", FEW, placed(layout(3, owners, chain, chain, chain, chain)));
        refused("4 members of a chain", FEW, placed(layout(3, owners, chain, chain, Chain.of(0, 1, 2, 0))));
        refused("4 tables", FEW, placed(new Layout(1, new TableSpec[4], new int[4][], 3, new Chain[0])));
    }

    private static Lease[] leases(int count) {
        return Collections.nCopies(count, new Lease(0, 1, false)).toArray(Lease[]::new);
    }

    @Test
    void a_layout_names_servers_and_seats_that_can_be() {
        int[] owners = {0, 0};
        refused("server 3 of a layout", FEW, placed(layout(3, owners, Chain.of(3))));
        refused("server -1 of a layout", FEW, placed(layout(3, owners, Chain.of(-1))));
        for (int whole : new int[] {-1, 0, 2}) {
            Chain chain = new Chain(new int[1], new long[1], whole);
            refused(whole + " of the 1 members of a chain have everything", placed(layout(3, owners, chain)));
        }
        refused("seat 1 of a layout", placed(layout(3, new int[] {0, 1}, Chain.of(0))));
        refused("seat -1 of a layout", placed(layout(3, new int[] {0, -1}, Chain.of(0))));
    }

    @Test
    void a_table_is_one_that_can_be() {
        taken(FEW, new Message.Create(1, TABLE.withShards(3)));
        refused("a table of 4 shards; at most 3", FEW, new Message.Create(1, TABLE.withShards(4)));
        refused("11 settings", FEW, new Message.Create(1, TABLE.withRule("add", new double[11])));
        List<String> names = Collections.nCopies(11, "lz4");
        refused("11 filters", FEW, new Message.Create(1, TABLE.withFilters(names, List.of())));
        refused("11 filters", FEW, new Message.Create(1, TABLE.withFilters(List.of(), names)));
        refused("table t has rows of 0", Kinds.CREATE, sink -> {
            sink.int64(1);
            sink.text("t");
            sink.int64(TableSpec.SPARSE);
            ints(sink, 0);
            sink.int8(0);
            ints(sink, 1);
            sink.text("add");
            ints(sink, 0);
            sink.int8(0);
            ints(sink, 1);
            sink.longs(new long[] {0, Long.MAX_VALUE}, 0, 2);
            ints(sink, 0, 0);
        });
    }

    @Test
    void what_is_announced_is_there_before_room_is_made_for_it() {
        refused("ends inside parts", Kinds.UNFOLLOW, sink -> {
            sink.longs(new long[2], 0, 2);
            ints(sink, 1 << 20);
        });
        refused("ends inside pieces of rows", Kinds.ROWS, sink -> {
            sink.longs(new long[3], 0, 3);
            ints(sink, 1 << 20);
        });
        refused("ends inside refusals", Kinds.WHOLE_SEAT, sink -> {
            sink.int64(1);
            ints(sink, 0, 0, 0, 0, 1 << 25);
        });
        refused("ends inside places", Kinds.MET, sink -> ints(sink, 1 << 16));
        refusedLayout("tables", 1 << 12);
        refusedLayout("seats", 0, 1 << 16);
        refusedLayout("members of a chain", 0, 1, 1 << 16, 0, 0, 0, 0);
        refusedLayout("places", 0, 0, 1 << 16);
        refusedLayout("leases", 0, 0, 0, 1 << 16);
    }

    /// @param counts what follows the epoch and the number of streams
    private static void refusedLayout(String what, int... counts) {
        refused("ends inside " + what, Kinds.PLACED, sink -> {
            sink.int64(1);
            sink.int32(3);
            ints(sink, counts);
        });
    }

    @Test
    void text_is_text() {
        Consumer<Sink> text = sink -> sink.blob(new byte[] {'a', (byte) 0xff});
        refused("not UTF-8", Kinds.DROP, sink -> {
            sink.int64(1);
            text.accept(sink);
        });
        refused("not UTF-8", Kinds.MANAGED, sink -> {
            sink.int64(1);
            sink.int8(0);
            text.accept(sink);
        });
    }
}
