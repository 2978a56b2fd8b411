package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.problem.Separable;
import tandem.report.Json;
import tandem.wire.Address;
import tandem.worker.Local;

/// What a node is told that joins by itself.
class InvitationTest {

    @Test
    void weights_without_bounds_have_none_at_a_node_that_joins_either() {
        Method.Batches emso = new Method.Batches(
                Solver.Rule.ADAGRAD,
                0.1,
                1,
                Separable.l2(1),
                List.of(),
                Local.Emso.by(Local.Emso.By.COORDINATE).withPenalty(Separable.l2(1)));
        LinearJob job = new LinearJob(
                ClusterPlan.DEFAULT.terms(1),
                "logistic",
                null,
                1,
                true,
                1,
                emso,
                new ServerFiles("d", null, null, null, null));
        NodeProcess.Work work = new NodeProcess.Work(job, "cache", "tcp:127.0.0.1:1");
        String text =
                NodeProcesses.invite(Address.worker(3), work, "print").text().get();
        Volunteer.Invitation read = Json.read(text.getBytes(StandardCharsets.UTF_8), Volunteer.Invitation.class);
        assertEquals(emso.local(), ((Method.Batches) read.work().job().method()).local());
    }
}
