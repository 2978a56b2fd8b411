package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.problem.Separable;
import tandem.report.Json;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;
import tandem.worker.Local;

class ServerDutyTest {

    private static final Outbox NOWHERE = new Outbox() {
        @Override
        public void send(Address to, Message message) {}

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    private static final Station HERE = new Station() {
        @Override
        public <T> T turn(Turn<T> turn) {
            return turn.run(0, NOWHERE);
        }

        @Override
        public boolean await(Ticket ticket, long untilNanos) {
            return ticket.isDone();
        }

        @Override
        public long nowNanos() {
            return 0;
        }
    };

    @TempDir
    Path draft;

    private LinearJob job() {
        ClusterTerms terms = ClusterPlan.DEFAULT.withNodes(1, 1).terms(7);
        return new LinearJob(
                terms,
                "logistic",
                null,
                1,
                false,
                1,
                new Method.Batches(Solver.Rule.SGD, 0.1, 1, Separable.NONE, List.of(0f), Local.GRADIENT),
                new ServerFiles(draft.toString(), null, null, null, null));
    }

    /// A server whose only row has this weight.
    private ServerDuty server(LinearJob job, float weight) {
        Server server = new Server(0, SolverRules.all(), 5);
        TableSpec table = job.tables().getFirst();
        Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {new int[table.shards()]}, 1);
        server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[1], new Lease[0]), 0, NOWHERE);
        server.start(0, 3, weight);
        return new ServerDuty(job, server, HERE);
    }

    private static SavedProblem.Share save(ServerDuty server, long epoch) {
        return Json.read(server.carryOut(new ServerOrder.Save(0, epoch, null).bytes()), SavedProblem.Share.class);
    }

    @Test
    void a_server_that_was_taken_for_lost_writes_over_nothing_that_others_saved_since() throws IOException {
        LinearJob job = job();
        SavedProblem.Share saved = save(server(job, 5), 2);
        for (var file : saved.files()) {
            file.accepted(draft, 2);
        }
        Path place = draft.resolve(saved.files().getFirst().file());
        byte[] before = Files.readAllBytes(place);
        save(server(job, 1), 1);
        assertArrayEquals(before, Files.readAllBytes(place));
        assertEquals(job.tables().getFirst().shards(), whole().size());
    }

    /// The files that have the name of a range.
    private List<Path> whole() throws IOException {
        try (Stream<Path> all = Files.list(draft)) {
            return all.filter(file -> file.toString().endsWith(".safetensors")).toList();
        }
    }
}
