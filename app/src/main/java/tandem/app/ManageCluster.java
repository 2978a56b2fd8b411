package tandem.app;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tandem.JobControl;
import tandem.JobDirectory;
import tandem.JobStatus;
import tandem.report.Json;

/// `cluster`: the nodes of a job that runs in processes; which there are, one more, one less.
@Command(
        name = "cluster",
        header = "Show and change the nodes of a running job: servers and workers come and go while it trains.",
        customSynopsis = Tandem.PROGRAM
                + " cluster status|add-server|remove-server ID|add-worker|remove-worker ID --job NAME [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "A job has a name if it was started with train … --runtime processes --job NAME, or --runtime spark.",
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " cluster status --job clicks",
            "  " + Tandem.PROGRAM + " cluster add-server --job clicks",
            "  " + Tandem.PROGRAM + " cluster remove-worker 1 --job clicks"
        })
final class ManageCluster implements Callable<Integer> {

    private static final List<String> ACTIONS =
            List.of("status", "add-server", "add-worker", "remove-server", "remove-worker");

    private final Console console;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ACTION",
            description = "status, add-server, remove-server, add-worker or remove-worker.")
    private String action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "ID", description = "Which server or worker is to go.")
    private Integer id;

    @Option(names = "--job", paramLabel = "NAME", description = "The job, by the name that train --job gave it.")
    private String job;

    @Option(names = "--json", description = "Print JSON: with status, role, id and pid of every node.")
    private boolean json;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long the job may be silent before this gives up. Default: 30s.")
    private String timeout;

    ManageCluster(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        if (action == null) {
            throw new ParameterException(
                    spec.commandLine(),
                    "say what to do: status, add-server, remove-server ID, add-worker or remove-worker ID");
        }
        if (!ACTIONS.contains(action)) {
            throw new IllegalArgumentException("cluster cannot " + action
                    + "; it can status, add-server, remove-server ID, add-worker and remove-worker ID");
        }
        Check.given("--job", job, "which job, by the name that train --job gave it");
        boolean removes = action.startsWith("remove-");
        if (removes && id == null) {
            throw new IllegalArgumentException(action + " needs the number of the node that is to go, such as " + action
                    + " 1; cluster status shows them");
        }
        if (!removes && id != null) {
            throw new IllegalArgumentException(action + " takes no number, but " + id + " was given; leave it out");
        }
        Duration patience = timeout == null ? Duration.ofSeconds(30) : Check.duration("--timeout", timeout);
        JobControl control = JobControl.of(JobDirectory.usual(), job, patience);
        switch (action) {
            case "status" -> show(control.status());
            case "add-server" -> say(control.addServer());
            case "add-worker" -> say(control.addWorker());
            case "remove-server" -> say(control.removeServer(id));
            default -> say(control.removeWorker(id));
        }
        return 0;
    }

    private void say(String done) throws IOException {
        console.print(json ? Json.text(Json.tree(new Said(done))).strip() : done);
    }

    private record Said(String done) {}

    private void show(JobStatus status) throws IOException {
        if (json) {
            console.print(Json.text(Json.tree(status)).strip());
            return;
        }
        console.print("job " + status.job() + ", epoch " + status.epoch());
        console.print(String.format(Locale.ROOT, "%-12s %4s %8s %10s  %s", "role", "id", "pid", "heard", "has"));
        for (JobStatus.Node node : status.nodes()) {
            String has = node.seats().isEmpty()
                    ? node.streams().isEmpty() ? "" : "streams " + numbers(node.streams())
                    : "seats " + numbers(node.seats()) + ", leads " + numbers(node.leads());
            console.print(String.format(
                            Locale.ROOT,
                            "%-12s %4d %8d %7d ms  %s%s",
                            node.role(),
                            node.id(),
                            node.pid(),
                            node.heardMillis(),
                            has,
                            node.leaving() ? " (leaving)" : "")
                    .stripTrailing());
        }
    }

    private static String numbers(List<Integer> all) {
        return all.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
