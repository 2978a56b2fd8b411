package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.client.Ticket;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.filter.Filters;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;

/// A coordinator that has just taken over from another: two servers that hold everything twice, of which one has ended
/// meanwhile.
@Timeout(30)
class CrewTest {

    private static final Cast CAST = Cast.of(2, 1, 1).withReplicas(1, 1_000_000_000);
    private static final List<Address> ALL = List.of(Address.server(0), Address.server(1), Address.worker(0));

    private final BlockingQueue<String> started = new LinkedBlockingQueue<>();
    private Sockets ground;
    private Coordinator coordinator;
    private Crew crew;

    private final Keeper keeper = new Keeper() {
        @Override
        public List<Child> known() {
            return ALL.stream().map(CrewTest::child).toList();
        }

        @Override
        public void attend(Listener listener) {}

        @Override
        public void start(Child child) {
            started.add(child.name());
        }

        @Override
        public void end(String name) {}

        @Override
        public void settle(String name, int life) {
            started.add(name + " settled");
        }

        @Override
        public void close() {}
    };

    private static Keeper.Child child(Address node) {
        return new Keeper.Child(node.toString(), 1, List.of(), Map.of(), "", List.of());
    }

    @BeforeEach
    void takeOver() throws Exception {
        List<Decided> kept = new ArrayList<>();
        Coordinator first = coordinator();
        first.keeping(kept::add);
        Outbox nobody = new Outbox() {
            @Override
            public void send(Address to, Message message) {}

            @Override
            public void wakeAt(long nanos, long tag) {}
        };
        first.start(1, nobody);
        ALL.forEach(node -> first.receive(node, new Message.Join(1, "tcp:127.0.0.1:1", 7), 1, nobody));
        ALL.forEach(
                node -> first.receive(node, new Message.Heartbeat(first.layout().epoch(), 0, 0), 1, nobody));
        ground = new Sockets(Place.loopback(), LinkLimits.DEFAULT);
        coordinator = coordinator();
        coordinator.goOn(kept.getLast());
        ground.add(Address.COORDINATOR, coordinator);
        Crew.Care care = new Crew.Care(true, 3, 1_000);
        crew = new Crew(ground, coordinator, CAST, keeper, (node, _) -> child(node), care, _ -> {});
    }

    private static Coordinator coordinator() {
        return new Coordinator(CAST, List.of(TableSpec.sparse("t", 1)), new Filters(), 1_000_000_000);
    }

    @AfterEach
    void end() {
        crew.close();
        ground.close();
    }

    @Test
    void a_server_that_has_ended_is_replaced_though_nobody_has_been_heard_yet() throws Exception {
        crew.ended(new Keeper.Ended("server 0", 137));
        assertEquals("server 2", started.poll(10, TimeUnit.SECONDS));
        assertEquals("server 0 settled", started.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void if_the_one_with_the_copy_ends_too_the_run_says_so() throws Exception {
        crew.ended(new Keeper.Ended("server 0", 137));
        assertEquals("server 2", started.poll(10, TimeUnit.SECONDS));
        crew.ended(new Keeper.Ended("server 1", 137));
        assertThrows(
                Crew.Lost.class, () -> ground.run(station -> station.await(new Ticket(() -> null), Long.MAX_VALUE)));
    }
}
