package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.consistency.After;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Stack;
import tandem.filter.Tally;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Upkeep;
import tandem.wire.Values;

/// A server whose keys must earn a row, and can lose it again.
class TendingTest {

    private static final long KIB = 1 << 10;

    private final List<Message> answers = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            answers.add(((Message.Seated) message).message());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private Server server;
    private TableSpec table;
    private long sequence;

    @Test
    void a_key_gets_a_row_with_its_third_update_and_not_by_reading_it() {
        open(TableSpec.sparse("t", 1).withAdmission(3, 64 * KIB));
        for (int read = 0; read < 10; read++) {
            assertEquals(0, read(true, 5)[0]);
        }
        assertEquals(0, server.size());
        push(1, 5);
        push(1, 5);
        assertEquals(0, read(false, 5)[0]);
        push(1, 5);
        assertEquals(1, read(false, 5)[0]);
        push(1, 5);
        assertEquals(2, read(false, 5)[0]);
        assertEquals(1, server.size());
        assertEquals(new Server.Upkept(1, 2, 0), server.upkept());
    }

    @Test
    void an_update_that_comes_twice_counts_once() {
        open(TableSpec.sparse("t", 1).withAdmission(3, 64 * KIB));
        for (int copy = 0; copy < 5; copy++) {
            sequence = 0;
            push(1, 5);
        }
        push(1, 5);
        assertEquals(0, server.size());
        push(1, 5);
        assertEquals(1, server.size());
    }

    /// A filter says that a row has no update this time: it must not help its key to a row, nor keep it one.
    @Test
    void an_update_that_leaves_a_row_out_does_not_count_for_it() {
        open(TableSpec.sparse("t", 1)
                .withShards(1)
                .withAdmission(3, 64 * KIB)
                .withFilters(List.of("skip:0.5"), List.of()));
        for (int round = 0; round < 10; round++) {
            push(leftOut(5, 6, 1));
        }
        assertEquals(1, server.size());
        assertEquals(new Server.Upkept(1, 2, 0), server.upkept());
        push(leftOut(5, 6, 0));
        push(leftOut(5, 6, 0));
        assertEquals(1, server.size());
        push(leftOut(5, 6, 0));
        assertEquals(2, server.size());
    }

    private void push(Part part) {
        sequence++;
        Message update = new Message.Update(1, 0, 1, sequence, sequence, new Part[] {part});
        assertEquals(new Message.Applied(0, sequence), send(_ -> update));
    }

    /// Ones for two keys, of which the one at `place` is left out.
    private Part leftOut(long one, long two, int place) {
        BitSet leftOut = new BitSet();
        leftOut.set(place);
        Stack stack = new Filters().stack(table.push(), Direction.PUSH, new Tally());
        Values packed = stack.pack(Values.of(1f, 1f), 2, leftOut, stack.moment(0, sequence, 0, 0), 0);
        return new Part(0, 0, Keys.once(new long[] {one, two}, 2), 0, 2, 1, packed);
    }

    /// What a key reads is its own sum, or where rows begin if it has none, though rows come and go all the time and
    /// lists are remembered.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_remembered_list_never_reads_another_keys_row(int admitAt) {
        TableSpec all = TableSpec.sparse("t", 1).withShards(1).withBudget(96 * KIB);
        open(admitAt == 1 ? all : all.withAdmission(admitAt, 4 * KIB));
        Random random = new Random(7);
        long[][] lists = new long[40][];
        for (int list = 0; list < lists.length; list++) {
            lists[list] = random.longs(150)
                    .map(key -> key & 0x3ff | key << 20)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .distinct()
                    .mapToLong(Long::longValue)
                    .toArray();
        }
        for (int round = 0; round < 400; round++) {
            long[] list = lists[random.nextInt(lists.length)];
            float[] values = new float[list.length];
            float[] before = read(true, list);
            for (int k = 0; k < list.length; k++) {
                // The first push says which key it is, and later ones nothing.
                float mark = Float.intBitsToFloat(0x3f800000 | (int) (list[k] >>> 20) & 0x7fffff);
                assertTrue(before[k] == 0 || before[k] == mark, "round " + round + ": key " + list[k]);
                values[k] = before[k] == 0 ? mark : 0;
            }
            push(values, list);
        }
        assertTrue(server.upkept().evicted() > 1000, server.upkept().toString());
    }

    @ParameterizedTest
    @ValueSource(longs = {64, 100, 400})
    void the_memory_never_exceeds_the_budget(long kib) {
        open(TableSpec.sparse("t", 3).withShards(1).withBudget(kib * KIB).withAdmission(2, 8 * KIB));
        Random random = new Random(3);
        long most = 0;
        for (int round = 0; round < 300; round++) {
            long[] keys = random.longs(500)
                    .map(key -> (long) Math.abs(100_000 * random.nextGaussian()) * 0x9e3779b97f4a7c15L)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .distinct()
                    .mapToLong(Long::longValue)
                    .toArray();
            push(new float[3 * keys.length], keys);
            Server.Memory memory = server.memory();
            most = Math.max(most, memory.rowBytes() + memory.indexBytes() + memory.listBytes());
            assertTrue(most <= kib * KIB, most + " of " + kib * KIB);
        }
        assertTrue(most > kib * KIB / 3, "only " + most + " of " + kib * KIB);
    }

    @Test
    void rows_that_are_updated_often_stay_while_others_come_and_go() {
        open(TableSpec.sparse("t", 1).withShards(1).withBudget(64 * KIB));
        long[] often = {1, 2, 3};
        Random random = new Random(5);
        float pushes = 0;
        for (int round = 0; round < 500; round++) {
            push(new float[] {1, 1, 1}, often);
            pushes++;
            long[] once = random.longs(100)
                    .map(key -> key | 1L << 60)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .distinct()
                    .mapToLong(Long::longValue)
                    .toArray();
            push(new float[once.length], once);
        }
        assertTrue(server.upkept().evicted() > 10_000, server.upkept().toString());
        for (float sum : read(false, often)) {
            assertEquals(pushes, sum);
        }
    }

    /// Keys that crowd have homes by chance, so that the index shows them in no order; and all have one update each.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void of_rows_with_equal_counts_those_of_the_least_keys_go_whatever_order_they_came_in(boolean crowding) {
        Tending tending = new Tending(new Upkeep(1, 0, 64 * KIB), slots -> 16L * slots);
        KeyIndex index = new KeyIndex(0, 1, 5);
        List<Long> kept = new ArrayList<>();
        Random random = new Random(6);
        while (!tending.isShort()) {
            long key = crowding ? 7L << 40 | kept.size() * 0x9e37L % 65_521 : random.nextLong();
            int slot = tending.next();
            assertEquals(slot, index.findOrPut(key, slot));
            kept.add(key);
        }
        kept.sort(Long::compareUnsigned);
        for (int sweep = 0; sweep < 3; sweep++) {
            int[] gone = tending.sweep(index);
            assertFalse(tending.isShort(), "one sweep must be enough");
            tending.begin();
            List<Long> least = kept.subList(0, gone.length);
            least.forEach(key -> assertEquals(KeyIndex.NONE, index.find(key)));
            least.clear();
            kept.forEach(key -> assertTrue(index.find(key) >= 0));
        }
    }

    @Test
    void where_no_row_fits_nothing_has_to_go() {
        Tending tending = new Tending(new Upkeep(1, 0, 64 * KIB), slots -> slots == 0 ? 0 : 1 << 20);
        assertFalse(tending.isRoom());
        assertFalse(tending.isShort());
    }

    private void open(TableSpec spec) {
        table = spec;
        server = new Server(0, new Rules(), 5);
        Layout layout = new Layout(1, new TableSpec[] {spec}, new int[][] {new int[spec.shards()]}, 1);
        server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[1], new Lease[0]), 0, out);
    }

    private void push(float value, long key) {
        push(new float[] {value}, new long[] {key});
    }

    private void push(float[] values, long[] keys) {
        sequence++;
        send(bare -> new Message.Update(1, 0, 1, sequence, sequence, parts(keys, values, bare)));
    }

    private float[] read(boolean make, long... keys) {
        Message answer = send(bare -> new Message.Pull(1, 1, -1, After.NOTHING, make, parts(keys, null, bare)));
        float[] all = new float[0];
        for (Values values : ((Message.Rows) answer).values()) {
            float[] rows = ((Values.Floats) values).array();
            all = Arrays.copyOf(all, all.length + rows.length);
            System.arraycopy(rows, 0, all, all.length - rows.length, rows.length);
        }
        return all;
    }

    /// Sends a message with its lists by signature alone, and if they are not known with their keys.
    private Message send(Function<Boolean, Message> message) {
        server.receive(Address.worker(0), new Message.Seated(0, message.apply(true)), 0, out);
        if (answers.getLast() instanceof Message.UnknownKeys) {
            server.receive(Address.worker(0), new Message.Seated(0, message.apply(false)), 0, out);
        }
        return answers.getLast();
    }

    private Part[] parts(long[] keys, float[] values, boolean bare) {
        Keys list = Keys.repeated(keys, keys.length);
        List<Part> parts = new ArrayList<>();
        int width = table.width();
        for (int from = 0, to; from < keys.length; from = to) {
            int shard = table.shardOf(keys[from]);
            to = from + 1;
            while (to < keys.length && table.shardOf(keys[to]) == shard) {
                to++;
            }
            Values piece = values == null ? null : Values.of(values).piece(from * width, (to - from) * width);
            parts.add(new Part(0, shard, bare ? list.bare() : list, from, to, width, piece));
        }
        return parts.toArray(Part[]::new);
    }
}
