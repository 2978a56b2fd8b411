package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tandem.client.Ticket;
import tandem.wire.Address;
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
}
