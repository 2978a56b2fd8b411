import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import tandem.Cluster;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Requests that do not wait: many under way at once, callbacks when they are answered, and what happens to those whose
/// table is dropped meanwhile.
void main() {
    AtomicInteger answered = new AtomicInteger();
    AtomicInteger failed = new AtomicInteger();
    float[] last = {0};
    Cluster.embedded(1, 2, TableSpec.sparse("counts", 1)).run(worker -> {
        Session session = worker.session();
        int me = worker.number();
        int counts = worker.table("counts");
        int scratch = session.create(TableSpec.sparse("scratch", 1));
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            // A push and a pull in one: the row comes back as it is after the push.
            float[] back = {0};
            Slice one = new Slice(counts, Keys.once(new long[] {42}, 1), new float[] {1});
            Ticket ticket = session.pushPull(me, worker.clock() + 1, one, Values.of(back));
            session.whenDone(ticket, answered::incrementAndGet);
            session.whenDone(ticket, () -> last[0] = Math.max(last[0], back[0]));
            tickets.add(ticket);
        }
        tickets.forEach(worker::await);

        session.drop("scratch");
        try {
            session.read(new Slice(scratch, Keys.once(new long[] {1}, 1), new float[1]));
        } catch (IllegalArgumentException e) {
            IO.println("as it should be: " + e.getMessage());
            failed.incrementAndGet();
        }
    });
    IO.println("%d answered, the count is %.0f".formatted(answered.get(), last[0]));
    if (answered.get() != 100 || last[0] != 100 || failed.get() != 1) {
        throw new AssertionError(answered + " answered, count " + last[0] + ", " + failed + " failed");
    }
}
