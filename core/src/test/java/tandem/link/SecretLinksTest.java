package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Values;

/// Connections between nodes that share a secret, and between those that do not.
@Timeout(60)
class SecretLinksTest {

    private static final Secret SECRET = Secret.of("0123456789abcdef0123456789abcdef", "a test");
    private static final Secret OTHER = Secret.of("0123456789abcdef0123456789abcdeg", "a test");
    private static final Hello GREETING = new Hello(Address.worker(2), Address.server(1));
    private static final Message BEAT = new Message.Heartbeat(1, 2, 3);

    @TempDir
    Path folder;

    /// Keeps what happens, and sends messages back if it `answers`.
    private record Ear(boolean answers, LinkedBlockingQueue<Message> messages, LinkedBlockingQueue<Link> gone)
            implements Links.Receiver {

        Ear(boolean answers) {
            this(answers, new LinkedBlockingQueue<>(), new LinkedBlockingQueue<>());
        }

        @Override
        public boolean admits(Link link) {
            return link.hello().equals(GREETING);
        }

        @Override
        public void receive(Link link, Message message) {
            messages.add(message);
            if (answers) {
                link.send(message);
            }
        }

        @Override
        public void closed(Link link) {
            gone.add(link);
        }
    }

    @Test
    void frames_go_there_and_back_between_nodes_that_know_the_same_secret() throws Exception {
        for (Place place : List.of(Place.loopback(), new Place.Unix(folder.resolve("echo")))) {
            Ear here = new Ear(false);
            try (Links listening = new Links(place, SECRET, LinkLimits.DEFAULT, new Ear(true));
                    Links opening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, here)) {
                Link link = opening.connect(listening.place(), GREETING);
                int[] sizes = {0, 1, 1000, 4096, 100_003, 3_000_001, 5};
                for (int size : sizes) {
                    assertTrue(link.send(new Message.Rows(size, 0, Values.of(new float[size]))));
                }
                for (int size : sizes) {
                    Message.Rows rows = (Message.Rows) here.messages.poll(20, TimeUnit.SECONDS);
                    assertNotNull(rows, "the answer of " + size + " floats");
                    assertEquals(size, ((Values.Floats) rows.values()[0]).length());
                }
                assertNull(here.gone.poll());
            }
        }
    }

    @Test
    void who_knows_another_secret_is_told_so_and_heard_no_further() throws Exception {
        Ear there = new Ear(true);
        Ear here = new Ear(false);
        try (Links listening = new Links(Place.loopback(), SECRET, LinkLimits.DEFAULT, there);
                Links opening = new Links(Place.loopback(), OTHER, LinkLimits.DEFAULT, here)) {
            Link link = opening.connect(listening.place(), GREETING);
            link.send(BEAT);
            assertEquals(link, here.gone.poll(20, TimeUnit.SECONDS));
            assertEquals("it refuses the secret of this node; give all nodes of a job the same secret", link.refusal());
            assertTrue(there.messages.isEmpty());
        }
    }
}
