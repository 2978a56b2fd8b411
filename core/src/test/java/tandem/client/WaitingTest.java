package tandem.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.TableSpec;

class WaitingTest {

    @Test
    void a_server_that_never_answers_is_named() {
        Overdue overdue = assertThrows(Overdue.class, () -> readFromSilence(Long.MAX_VALUE));
        assertEquals(
                "worker 3 has waited 30 s for server 0, never heard; see whether it is stopped or overloaded, or raise"
                        + " --silence",
                overdue.getMessage());
    }

    @Test
    void a_server_that_answers_no_more_is_named_with_when_it_was_heard() {
        Overdue overdue = assertThrows(Overdue.class, () -> readFromSilence(1_000_000_000));
        assertEquals(
                "worker 3 has waited 31 s for server 0, last heard 30 s ago; see whether it is stopped or overloaded,"
                        + " or raise --silence",
                overdue.getMessage());
    }

    /// Reads from a server that holds the read back, and is silent from `quietNanos` on.
    private static void readFromSilence(long quietNanos) {
        Simulation simulation = new Simulation(1, Network.DEFAULT, Machines.even(1));
        TableSpec table = TableSpec.sparse("t", 1).withShards(1);
        Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {{0}}, 4);
        simulation.add(Address.server(0), (from, message, now, out) -> {
            if (quietNanos < Long.MAX_VALUE
                    && now < quietNanos
                    && message instanceof Message.Seated(int seat, Message.Pull pull)) {
                out.send(from, new Message.Seated(seat, new Message.Held(pull.request(), 1, 0)));
            }
        });
        Client client = new Client(100_000_000);
        client.receive(
                Address.COORDINATOR,
                new Message.Placed(layout, new String[1], new Lease[0]),
                0,
                simulation.add(Address.worker(3), client));
        simulation.loop(
                Address.worker(3),
                station -> new Session(Address.worker(3), client, station, 30_000_000_000L)
                        .read(new Slice(0, Keys.once(new long[] {5}, 1), new float[1])));
        simulation.run();
    }
}
