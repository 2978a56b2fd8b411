package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

@Timeout(30)
class LoopsTest {

    @Test
    void who_ran_the_loops_is_told_of_a_failure_while_it_waits_for_them_and_not_later() {
        Loops loops = new Loops();
        loops.run(() -> {});
        loops.fail(new IllegalStateException("late"));
        assertFalse(Thread.interrupted(), "whatever this thread does now was interrupted");

        Loops failing = new Loops();
        assertThrows(
                IllegalStateException.class,
                () -> failing.run(() -> failing.fail(new IllegalStateException("in time"))));
        assertFalse(Thread.interrupted());
    }

    @Test
    void a_node_whose_turn_goes_on_when_all_is_closed_may_ask_to_be_woken_in_vain() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch through = new CountDownLatch(1);
        Thread test = Thread.currentThread();
        Embedded ground = new Embedded();
        ground.add(Address.COORDINATOR, (_, _, _, _) -> {});
        ground.add(Address.server(0), new Party() {

            @Override
            public void start(long nowNanos, Outbox out) {
                out.wakeAt(nowNanos, 0);
            }

            @Override
            public void receive(Address from, Message message, long nowNanos, Outbox out) {}

            @Override
            public void wake(long tag, long nowNanos, Outbox out) {
                if (Thread.currentThread() == test) {
                    // Its turn came at the end of the one before, on the same thread.
                    out.wakeAt(nowNanos, 0);
                    return;
                }
                busy.countDown();
                while (closed.getCount() > 0) {
                    Thread.onSpinWait();
                }
                out.wakeAt(nowNanos, 0);
                through.countDown();
            }
        });
        ground.run(_ -> {
            while (busy.getCount() > 0) {
                Thread.onSpinWait();
            }
        });
        ground.close();
        closed.countDown();
        through.await();
    }
}
