package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

@Timeout(30)
class StrandTest {

    private static final Outbox NOWHERE = new Outbox() {

        @Override
        public void send(Address to, Message message) {}

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    @Test
    void a_busy_node_holds_back_who_brings_more_than_it_may_keep_and_loses_nothing() throws Exception {
        List<Message> received = new ArrayList<>();
        Strand strand =
                new Strand(Address.server(0), (_, message, _, _) -> received.add(message), NOWHERE, (_, why) -> {
                    throw why;
                });
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        Thread loop = Thread.ofPlatform()
                .daemon()
                .start(() -> strand.turn((_, _) -> {
                    busy.countDown();
                    await(free);
                    return null;
                }));
        await(busy);
        int flood = 10 * Strand.MOST_WAITING;
        Thread reader = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < flood; i++) {
                strand.receiveInTime(Address.worker(0), new Message.Heartbeat(i, 0, 0));
            }
        });
        while (reader.getState() != Thread.State.WAITING) {
            assertTrue(strand.waiting() <= Strand.MOST_WAITING + 1);
            Thread.onSpinWait();
        }
        assertEquals(Strand.MOST_WAITING + 1, strand.waiting());
        free.countDown();
        reader.join();
        loop.join();
        assertEquals(flood, received.size());
        for (int i = 0; i < flood; i++) {
            assertEquals(new Message.Heartbeat(i, 0, 0), received.get(i));
        }
        assertEquals(0, strand.waiting());
    }

    /// The thread of a busy node takes along what others brought meanwhile; what is wrong with that is their fault.
    @Test
    void a_wrong_message_is_the_fault_of_its_sender_whichever_thread_finds_it() throws Exception {
        List<Message> received = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        Strand strand = new Strand(
                Address.server(0),
                (from, message, _, _) -> {
                    if (from.number() == 1) {
                        throw new IllegalArgumentException("nonsense");
                    }
                    received.add(message);
                },
                NOWHERE,
                (from, why) -> refused.add(from + ": " + why.getMessage()));
        Message beat = new Message.Heartbeat(1, 0, 0);
        strand.turn((_, _) -> {
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                strand.receive(Address.worker(1), beat);
                strand.receive(Address.worker(2), beat);
            });
            return join(other);
        });
        assertEquals(List.of("worker 1: nonsense"), refused);
        assertEquals(List.of(beat), received);
    }

    private static boolean join(Thread thread) {
        try {
            thread.join();
            return true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
