package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tandem.client.Ticket;
import tandem.cluster.Traffic;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

class SimulationTest {

    /// A number from an earlier process: what differs from process to process, such as the hash code of an enum, would
    /// change it.
    private static final String TRACE = "a74ff0ba58a52cb1";

    @Test
    void the_trace_is_the_same_in_every_process() {
        Simulation simulation = new Simulation(1, new Network(1000, 0, Double.MAX_VALUE, 0, 0), Machines.even(1));
        Ticket heard = new Ticket(() -> null);
        Party echo = (from, message, _, out) -> out.send(from, message);
        Party listener = (_, _, _, _) -> heard.complete();
        simulation.add(Address.server(3), echo);
        Outbox out = simulation.add(Address.COORDINATOR, listener);
        out.send(Address.server(3), new Message.Heartbeat(1, 2, 3));
        simulation.run(station -> station.await(heard, Long.MAX_VALUE));
        assertEquals(TRACE, Long.toHexString(simulation.trace()));
    }

    /// A line sends a byte in 1 ns. Worker 1 sends a message to each of two servers: the one beside it has it at once,
    /// and the one elsewhere after the line is through with what another node of the machine sent before.
    @Test
    void nodes_of_one_machine_share_its_line_and_need_none_among_themselves() {
        Network network = new Network(1_000_000, 0, 1e9, 0, 0);
        Message message = new Message.Heartbeat(1, 2, 3);
        long bytes = Codec.length(message);
        Simulation simulation = new Simulation(1, network, Machines.even(1).paired());
        TreeMap<Address, Long> heard = new TreeMap<>();
        Ticket elsewhere = new Ticket(() -> null);
        Outbox beside = simulation.add(Address.server(1), (_, _, now, _) -> heard.put(Address.server(1), now));
        simulation.add(Address.server(0), (_, _, now, _) -> {
            if (heard.put(Address.server(0), now) != null) {
                elsewhere.complete();
            }
        });
        Outbox worker = simulation.add(Address.worker(1), (_, _, _, _) -> {});
        beside.send(Address.server(0), message);
        worker.send(Address.server(1), message);
        worker.send(Address.server(0), message);
        simulation.add(Address.COORDINATOR, (_, _, _, _) -> {});
        simulation.run(station -> station.await(elsewhere, Long.MAX_VALUE));
        assertEquals(Map.of(Address.server(1), 0L, Address.server(0), 1_000_000 + 2 * bytes), heard);
        assertEquals(new Traffic(bytes, 0, bytes), simulation.traffic(Address.worker(1)));
        assertEquals(new Traffic(bytes, 0, bytes), simulation.traffic(Address.server(1)));
        assertEquals(new Traffic(0, 2 * bytes, 0), simulation.traffic(Address.server(0)));
    }
}
