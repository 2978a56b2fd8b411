package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tandem.client.Client;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Codec;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

class GatheringTest {

    private static final int ROWS = 10_000;
    private static final TableSpec DENSE = TableSpec.dense("dense", ROWS, 1).withShards(1);
    private static final TableSpec SPARSE =
            TableSpec.sparse("sparse", 1).withDoubles().withShards(1);
    private static final int STREAMS = 8;
    private static final long PATIENCE = 20_000_000;

    /// Two servers, one after the other, and what is said between them.
    private final class Pair {

        final Server[] servers = new Server[2];
        final ArrayDeque<Message> passed = new ArrayDeque<>();
        final List<Message> answers = new ArrayList<>();
        final TreeMap<Integer, Long> sequences = new TreeMap<>();
        long passedBytes;
        boolean isCut;

        Pair(boolean gathers) {
            Layout layout = new Layout(
                    1, new TableSpec[] {DENSE, SPARSE}, new int[][] {{0}, {0}}, STREAMS, new Chain[] {Chain.of(0, 1)});
            Server.Ways ways = Server.Ways.usual(5);
            for (int s = 0; s < 2; s++) {
                servers[s] = new Server(s, new Rules(), new Filters(), gathers ? ways.gathering(PATIENCE) : ways);
                hear(Address.COORDINATOR, s, new Message.Placed(layout, new String[2], new Lease[0]));
            }
        }

        private void hear(Address from, int to, Message message) {
            servers[to].receive(from, message, 0, out(to));
            while (!passed.isEmpty() && !isCut) {
                servers[1].receive(Address.server(0), passed.poll(), 0, out(1));
            }
        }

        private Outbox out(int self) {
            return new Outbox() {
                @Override
                public void send(Address to, Message message) {
                    if (to.equals(Address.server(1))) {
                        passedBytes += Codec.length(message);
                        passed.add(message);
                    } else if (to.equals(Address.server(0))) {
                        servers[0].receive(Address.server(self), message, 0, out(0));
                    } else if (to.role() == Address.Role.WORKER) {
                        answers.add(((Message.Seated) message).message());
                    }
                }

                @Override
                public void wakeAt(long nanos, long tag) {}
            };
        }

        void push(int stream, Part... parts) {
            push(stream, sequences.getOrDefault(stream, 0L) + 1, parts);
        }

        void push(int stream, long clock, Part... parts) {
            long sequence = sequences.merge(stream, 1L, Long::sum);
            hear(
                    Address.worker(stream),
                    0,
                    new Message.Seated(0, new Message.Update(1, stream, 1, sequence, clock, parts)));
        }

        /// Time passes until what waits for others goes on without them.
        void losePatience() {
            servers[0].wake(0, PATIENCE, out(0));
            hear(Address.COORDINATOR, 0, new Message.Renewed(0)); // has what was passed on delivered
        }
    }

    private static Part dense(float value) {
        float[] values = new float[ROWS];
        Arrays.fill(values, value);
        return new Part(0, 0, Keys.range(0, ROWS), 0, ROWS, 1, Values.of(values));
    }

    private static Part sparse(double value, long... keys) {
        double[] values = new double[keys.length];
        Arrays.fill(values, value);
        return new Part(1, 0, Keys.once(keys, keys.length), 0, keys.length, 1, Values.of(values));
    }

    @Test
    void a_chain_carries_the_updates_of_a_clock_as_one() {
        Pair each = new Pair(false);
        Pair together = new Pair(true);
        for (int clock = 0; clock < 5; clock++) {
            for (int stream = 0; stream < STREAMS; stream++) {
                each.push(stream, dense(1));
                together.push(stream, dense(1));
            }
        }
        assertEquals(5 * STREAMS, together.servers[1].value(0, 3));
        assertEquals(each.servers[1].value(0, 3), together.servers[1].value(0, 3));
        double share = (double) together.passedBytes / each.passedBytes;
        assertEquals(1.0 / STREAMS, share, 0.01);
        assertEquals(together.servers[0].print(0), together.servers[1].print(0));
    }

    @Test
    void nothing_is_acknowledged_before_the_sum_is_stored() {
        Pair pair = new Pair(true);
        for (int stream = 0; stream < STREAMS; stream++) {
            assertEquals(List.of(), pair.answers);
            assertEquals(0, pair.servers[0].value(0, 3));
            pair.isCut = stream == STREAMS - 1;
            pair.push(stream, dense(1));
        }
        assertEquals(STREAMS, pair.servers[0].value(0, 3));
        assertEquals(List.of(), pair.answers);
        pair.isCut = false;
        pair.hear(Address.COORDINATOR, 0, new Message.Renewed(0)); // has what was passed on delivered
        assertEquals(
                IntStream.range(0, STREAMS)
                        .mapToObj(stream -> new Message.Applied(stream, 1))
                        .toList(),
                pair.answers);
        assertEquals(STREAMS, pair.servers[1].value(0, 3));
    }

    @Test
    void what_has_waited_long_goes_on_without_the_others() {
        Pair pair = new Pair(true);
        pair.push(0, dense(1));
        pair.servers[0].wake(0, PATIENCE - 1, pair.out(0));
        assertEquals(List.of(), pair.answers);
        pair.losePatience();
        assertEquals(List.of(new Message.Applied(0, 1)), pair.answers);
    }

    @Test
    void an_update_that_comes_twice_counts_once() {
        Pair pair = new Pair(true);
        for (int stream = 0; stream < STREAMS; stream++) {
            pair.push(stream, dense(1));
            pair.sequences.put(stream, 0L);
            pair.push(stream, dense(1));
        }
        for (int stream = 0; stream < STREAMS; stream++) {
            pair.sequences.put(stream, 0L);
            pair.push(stream, dense(1));
        }
        assertEquals(STREAMS, pair.servers[0].value(0, 3));
        assertEquals(STREAMS, pair.servers[1].value(0, 3));
    }

    @Test
    void the_sum_of_different_keys_has_all_of_them_in_order() {
        List<Gathering.Gathered> all =
                List.of(gathered(0, sparse(1, 2, 5, -1)), gathered(1, sparse(10, 5, 7)), gathered(2, sparse(100, -1)));
        Message.Merged merged = Gathering.merged(all);
        Part sum = merged.parts()[0];
        assertEquals(1, merged.parts().length);
        assertArrayEquals(new long[] {2, 5, 7, -1}, sum.keys().list());
        assertArrayEquals(new double[] {1, 11, 10, 101}, ((Values.Doubles) sum.values()).array());
        assertArrayEquals(new long[] {0, 1, 4, 9, 1, 1, 4, 9, 2, 1, 4, 9}, merged.of());
    }

    @Test
    void a_list_that_all_have_is_kept_and_named_by_its_signature() {
        Keys list = Keys.repeated(new long[] {2, 5}, 2);
        Part part = new Part(1, 0, list, 0, 2, 1, Values.of(1.0, 2.0));
        Message.Merged merged = Gathering.merged(List.of(gathered(0, part), gathered(1, part)));
        assertEquals(list.signature(), merged.parts()[0].keys().signature());
        assertArrayEquals(new double[] {2, 4}, ((Values.Doubles) merged.parts()[0].values()).array());
        assertArrayEquals(new double[] {1, 2}, ((Values.Doubles) part.values()).array());
        Message.Merged others = Gathering.merged(List.of(gathered(0, part), gathered(1, sparse(1, 9))));
        assertNull(others.parts()[0].keys().signature());
    }

    private static Gathering.Gathered gathered(int stream, Part part) {
        return new Gathering.Gathered(
                Address.worker(stream), new Message.Update(1, stream, 1, 4, 9, new Part[] {part}));
    }

    @Test
    void an_update_does_not_wait_for_streams_of_which_the_last_word_was_that_they_are_over() {
        Pair pair = new Pair(true);
        for (int stream = 1; stream < STREAMS; stream++) {
            pair.push(stream, Client.OVER);
        }
        pair.losePatience();
        pair.answers.clear();
        pair.push(0, dense(1));
        assertEquals(List.of(new Message.Applied(0, 1)), pair.answers);
    }

    @Test
    void streams_that_are_over_are_not_waited_for() {
        Gathering gathering = new Gathering(PATIENCE);
        gathering.add(Address.worker(1), new Message.Update(1, 1, 1, 4, 9, new Part[0]), 0);
        assertTrue(gathering.isComplete(3, stream -> stream != 1));
        assertTrue(!gathering.isComplete(3, stream -> stream == 0));
    }
}
