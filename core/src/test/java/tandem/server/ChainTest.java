package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tandem.consistency.After;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Servers that hold one seat, and messages between them that wait to be delivered.
class ChainTest {

    private static final TableSpec COUNTS =
            TableSpec.sparse("counts", 1).withShards(1).withDoubles();
    private static final TableSpec OTHER = TableSpec.dense("other", 1 << 20, 1).withShards(1);
    private static final Address WORKER = Address.worker(0);
    private static final long RESEND_NANOS = 1_000_000;

    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final ArrayDeque<Sent> underWay = new ArrayDeque<>();
    private final TreeSet<Address> deaf = new TreeSet<>();
    private final List<Message> answers = new ArrayList<>();
    private boolean inOrder;
    private long sequence;
    private long epoch;
    private long nowNanos;

    private record Sent(Address from, Address to, Message message) {}

    private record Desk(Address self, ChainTest test) implements Outbox {

        @Override
        public void send(Address to, Message message) {
            test.underWay.add(new Sent(self, to, message));
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    }

    private Server server(int number) {
        return servers.computeIfAbsent(number, _ -> {
            Server.Ways usual = Server.Ways.usual(5);
            return new Server(
                    number,
                    new Rules().withChange("fail", (_, _) -> {
                        throw new IllegalStateException("no");
                    }),
                    new Filters(),
                    new Server.Ways(5, usual.listBytes(), RESEND_NANOS, usual.leaseNanos(), inOrder));
        });
    }

    private void place(Chain chain, TableSpec... tables) {
        int[][] owners = new int[tables.length][];
        for (int t = 0; t < tables.length; t++) {
            owners[t] = tables[t] == null ? null : new int[] {0};
        }
        Layout layout = new Layout(++epoch, tables, owners, 1, new Chain[] {chain});
        for (int member : chain.servers()) {
            hear(Address.COORDINATOR, member, new Message.Placed(layout, new String[9], new Lease[0]));
        }
    }

    private void hear(Address from, int to, Message message) {
        server(to).receive(from, message, nowNanos, new Desk(Address.server(to), this));
    }

    /// Delivers what is under way, and what comes of it, but for those who hear nothing.
    private void deliver() {
        for (Sent next; (next = underWay.poll()) != null; ) {
            if (next.to.role() == Address.Role.SERVER && !deaf.contains(next.to)) {
                hear(next.from, next.to.number(), next.message);
            } else if (next.to.equals(WORKER)) {
                answers.add(((Message.Seated) next.message).message());
            }
        }
    }

    private Message.Update update(Part... parts) {
        sequence++;
        return new Message.Update(epoch, 0, 1, sequence, sequence, parts);
    }

    private void tell(int head, Message message) {
        hear(WORKER, head, new Message.Seated(0, message));
    }

    private static Part one(double value) {
        return new Part(0, 0, Keys.once(new long[] {3}, 1), 0, 1, 1, Values.of(value));
    }

    /// A megabyte.
    private static Part large() {
        int rows = 1 << 18;
        return new Part(1, 0, Keys.range(0, rows), 0, rows, 1, Values.of(new float[rows]));
    }

    @Test
    void an_update_under_way_goes_on_without_what_was_for_a_table_that_is_dropped() {
        place(Chain.of(0, 1), COUNTS, OTHER);
        deaf.add(Address.server(1));
        tell(0, update(one(1), large()));
        deliver();
        deaf.clear();
        place(Chain.of(0, 1), COUNTS, null);
        deliver();
        assertEquals(1, server(1).value(0, 3));
        assertEquals(server(0).print(0), server(1).print(0));
    }

    @Test
    void an_update_that_waits_for_its_clock_is_applied_without_what_was_for_a_table_that_is_dropped() {
        inOrder = true;
        place(Chain.of(0, 1), COUNTS, OTHER);
        tell(0, new Message.Update(epoch, 0, 1, 1, 0, new Part[] {one(1), large()}));
        deliver();
        place(Chain.of(0, 1), COUNTS, null);
        tell(0, new Message.Update(epoch, 0, 1, 2, 1, new Part[0]));
        deliver();
        assertEquals(1, server(0).value(0, 3));
        assertEquals(1, server(1).value(0, 3));
    }

    @Test
    void a_stream_is_claimed_once_all_know_it_and_stays_so_without_the_first() {
        place(Chain.of(0, 1), COUNTS, OTHER);
        deaf.add(Address.server(1));
        tell(0, new Message.Claim(epoch, 0, 2));
        deliver();
        assertEquals(List.of(), answers);
        deaf.clear();
        nowNanos += RESEND_NANOS;
        server(0).wake(0, nowNanos, new Desk(Address.server(0), this));
        deliver();
        assertEquals(List.of(new Message.Claimed(0, 2, 0, 0)), answers);
        place(Chain.of(1), COUNTS, OTHER);
        tell(1, update(one(1)));
        deliver();
        assertEquals(new Message.Fenced(epoch, 0, 2), answers.getLast());
        assertEquals(0, server(1).value(0, 3));
    }

    @Test
    void who_works_on_a_stream_is_known_to_who_came_later() {
        place(Chain.of(0), COUNTS, OTHER);
        tell(0, new Message.Claim(epoch, 0, 2));
        place(new Chain(new int[] {0, 1}, new long[] {1, 2}, 1), COUNTS, OTHER);
        deliver();
        place(new Chain(new int[] {1}, new long[] {2}, 1), COUNTS, OTHER);
        tell(1, update(one(1)));
        deliver();
        assertEquals(new Message.Fenced(epoch, 0, 2), answers.getLast());
        assertEquals(0, server(1).value(0, 3));
    }

    @Test
    void who_is_not_the_first_of_a_chain_takes_no_updates_of_workers() {
        place(Chain.of(0, 1), COUNTS, OTHER);
        tell(1, update(one(1)));
        deliver();
        assertEquals(List.of(new Message.Fenced(epoch, 0, 0)), answers);
        assertEquals(0, server(1).value(0, 3));
    }

    @Test
    void updates_are_not_acknowledged_while_a_newcomer_cannot_follow() {
        place(Chain.of(0), COUNTS, OTHER);
        deaf.add(Address.server(1));
        place(new Chain(new int[] {0, 1}, new long[] {1, 2}, 1), COUNTS, OTHER);
        int sent = 200;
        for (int u = 0; u < sent; u++) {
            tell(0, update(one(1), large()));
            underWay.removeIf(message -> message.to.equals(Address.server(1)));
        }
        deliver();
        assertTrue(answers.size() < 40, answers.size() + " megabytes were taken that wait for a newcomer");
        assertEquals(sent, server(0).value(0, 3));
        deaf.clear();
        nowNanos += RESEND_NANOS;
        server(0).wake(0, nowNanos, new Desk(Address.server(0), this));
        deliver();
        assertEquals(sent, answers.size());
        assertEquals(server(0).print(0), server(1).print(0));
    }

    @Test
    void parts_that_came_ahead_go_on_before_the_rest_is_there() {
        place(Chain.of(0, 1, 2), COUNTS, OTHER);
        Message.Update update = update(one(1), large());
        tell(0, new Message.Ahead(epoch, 0, 1, 1, 0, new Part[] {update.parts()[0]}));
        assertEquals(1, said(Message.Ahead.class, 1));
        deliver();
        assertEquals(0, server(2).value(0, 3));
        tell(0, new Message.Rest(1, update.with(new Part[] {update.parts()[1]})));
        Message.Forward forward = (Message.Forward) ((Message.Seated) underWay.getLast().message).message();
        assertEquals(1, ((Message.Rest) forward.update()).update().parts().length);
        deliver();
        assertEquals(List.of(new Message.Applied(0, 1)), answers);
        assertEquals(1, server(2).value(0, 3));
        assertEquals(server(0).print(0), server(2).print(0));
    }

    @Test
    void all_of_an_update_is_asked_for_where_what_came_ahead_was_lost() {
        place(Chain.of(0, 1), COUNTS, OTHER);
        Message.Update update = update(one(1), large());
        tell(0, new Message.Rest(1, update.with(new Part[] {update.parts()[1]})));
        deliver();
        assertEquals(List.of(new Message.UnknownKeys(false, 0, 1)), answers);
        tell(0, new Message.Ahead(epoch, 0, 1, 1, 0, new Part[] {update.parts()[0]}));
        underWay.clear(); // what goes to the next server is lost
        tell(0, new Message.Rest(1, update.with(new Part[] {update.parts()[1]})));
        deliver();
        assertEquals(new Message.Applied(0, 1), answers.getLast());
        assertEquals(1, server(1).value(0, 3));
    }

    @Test
    void what_came_ahead_in_an_epoch_is_of_no_use_in_the_next() {
        place(Chain.of(0, 1), COUNTS, OTHER);
        Message.Update update = update(one(1), large());
        tell(0, new Message.Ahead(epoch, 0, 1, 1, 0, new Part[] {update.parts()[0]}));
        place(Chain.of(0, 1), COUNTS, OTHER);
        Message.Update again = new Message.Update(epoch, 0, 1, 1, 1, new Part[] {update.parts()[1]});
        tell(0, new Message.Rest(1, again));
        deliver();
        assertEquals(List.of(new Message.UnknownKeys(false, 0, 1)), answers);
        assertEquals(0, server(0).value(0, 3));
    }

    @Test
    void what_a_neighbour_said_in_an_epoch_counts_for_nothing_in_the_next() {
        place(Chain.of(0, 1), COUNTS);
        deaf.add(Address.server(1));
        Message.Update update = update(one(1));
        tell(0, update);
        deliver();
        place(Chain.of(0, 1), COUNTS);
        underWay.clear();
        hear(Address.server(0), 1, new Message.Seated(0, new Message.Forward(epoch - 1, 1, update)));
        assertEquals(0, server(1).value(0, 3));
        tell(0, new Message.Update(epoch, 0, 1, 1, 1, update.parts()));
        hear(Address.server(1), 0, new Message.Seated(0, new Message.Stored(epoch - 1, 1)));
        deliver();
        assertEquals(List.of(), answers);
        hear(Address.server(1), 0, new Message.Seated(0, new Message.Stored(epoch, 1)));
        deliver();
        assertEquals(List.of(new Message.Applied(0, 1)), answers);
    }

    /// How many messages of a kind are under way to a server.
    private long said(Class<?> kind, int to) {
        return underWay.stream()
                .filter(sent -> sent.to.equals(Address.server(to)))
                .filter(sent -> kind.isInstance(((Message.Seated) sent.message).message()))
                .count();
    }

    /// A read from the only full copy must not give what whoever is a member soon does not have yet.
    @Test
    void what_all_have_is_read_at_the_tail_and_not_before_a_newcomer_has_it() {
        place(Chain.of(0, 1), COUNTS);
        tell(0, update(one(1)));
        deliver();
        answers.clear();
        tell(0, settled());
        deliver();
        assertInstanceOf(Message.Fenced.class, answers.getLast());
        tell(1, settled());
        deliver();
        assertEquals(1, read());
        place(new Chain(new int[] {0, 1, 2}, new long[] {1, 1, 2}, 2), COUNTS);
        deliver();
        answers.clear();
        deaf.add(Address.server(2));
        tell(0, update(one(1)));
        deliver();
        tell(1, settled());
        deliver();
        assertEquals(List.of(), answers);
        deaf.clear();
        nowNanos += RESEND_NANOS;
        server(1).wake(0, nowNanos, new Desk(Address.server(1), this));
        deliver();
        tell(1, settled());
        deliver();
        assertEquals(2, read());
    }

    private Message settled() {
        Part key = new Part(0, 0, Keys.once(new long[] {3}, 1), 0, 1, 1, null);
        return new Message.Settled(new Message.Pull(epoch, 7, -1, After.NOTHING, false, new Part[] {key}));
    }

    private double read() {
        return ((Values.Doubles) ((Message.Rows) answers.getLast()).values()[0]).array()[0];
    }

    /// Who reads may still be told by a server of the epoch before, which does not have what is stored now.
    @Test
    void what_was_asked_for_in_an_epoch_is_not_answered_in_the_next() {
        place(Chain.of(0, 1), COUNTS);
        deaf.add(Address.server(1));
        tell(0, update(one(1)));
        deliver();
        place(Chain.of(0), COUNTS);
        deliver();
        assertEquals(List.of(), answers);
        tell(0, new Message.Update(epoch, 0, 1, 1, 1, new Part[] {one(1)}));
        deliver();
        assertEquals(List.of(new Message.Applied(0, 1)), answers);
        assertEquals(1, server(0).value(0, 3));
    }

    @Test
    void why_an_update_was_refused_is_known_to_who_came_later() {
        place(Chain.of(0), COUNTS);
        sequence++;
        Message change = new Message.Change(epoch, 0, 1, sequence, sequence, 0, "fail", Figures.NONE);
        tell(0, change);
        place(new Chain(new int[] {0, 1}, new long[] {1, 2}, 1), COUNTS);
        deliver();
        assertNotNull(server(1).print(0));
        place(new Chain(new int[] {1}, new long[] {2}, 1), COUNTS);
        answers.clear();
        tell(1, new Message.Change(epoch, 0, 1, sequence, sequence, 0, "fail", Figures.NONE));
        deliver();
        assertInstanceOf(Message.Refused.class, answers.getLast());
    }
}
