package tandem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import tandem.client.Overdue;
import tandem.client.Waiting;
import tandem.cluster.Operator;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.report.Json;
import tandem.runtime.RunDirectory;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// Changes which nodes a running job has, and shows them.
public final class JobControl {

    private static final long ASK_NANOS = 250_000_000;

    private final JobCard card;
    private final Trust trust;
    private final Duration patience;

    private JobControl(JobCard card, Trust trust, Duration patience) {
        this.card = card;
        this.trust = trust;
        this.patience = patience;
    }

    /// Finds the job called `name`.
    ///
    /// @param patience how long its coordinator may be silent
    public static JobControl of(JobDirectory jobs, String name, Duration patience) throws IOException {
        return new JobControl(jobs.job(name), jobs.trust(name), patience);
    }

    /// Its nodes, as they are now.
    public JobStatus status() throws IOException {
        return Json.read(ask("status", -1).getBytes(StandardCharsets.UTF_8), JobStatus.class);
    }

    /// Starts one more server, and returns when it takes part.
    public String addServer() throws IOException {
        return ask("add-server", -1);
    }

    /// Starts one more worker, and returns when it takes part.
    public String addWorker() throws IOException {
        return ask("add-worker", -1);
    }

    /// Has a server go, and returns when others have what it had and it has gone.
    public String removeServer(int id) throws IOException {
        return ask("remove-server", id);
    }

    /// Has a worker go, and returns when others do what it did and it has gone.
    public String removeWorker(int id) throws IOException {
        return ask("remove-worker", id);
    }

    private String ask(String what, int number) throws IOException {
        try {
            return ask(Place.of(card.coordinator()), trust, patience, what, number);
        } catch (Overdue e) {
            throw new IOException(
                    "job " + card.name() + " (process " + card.pid() + ") has not answered for " + patience.toSeconds()
                            + " s; see whether it is stopped or overloaded, or raise --timeout",
                    e);
        }
    }

    /// Asks a coordinator to do something with its nodes; what it answers when that is done.
    ///
    /// @param trust that of the job; null if it has none
    static String ask(Place coordinator, Trust trust, Duration patience, String what, int number) throws IOException {
        Address self = Address.operator(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        try (RunDirectory directory = new RunDirectory();
                Sockets ground = new Sockets(
                        new Place.Unix(directory.path().resolve("operator")),
                        coordinator,
                        trust,
                        LinkLimits.DEFAULT,
                        Shape.NONE)) {
            Operator operator = new Operator(what, number, ASK_NANOS);
            ground.add(self, operator);
            ground.loop(
                    self,
                    station -> new Waiting(self, station, patience.toNanos(), _ -> operator.coordinatorHeardNanos())
                            .await(operator.answered()));
            ground.run();
            return operator.answer();
        } catch (Sockets.Refused e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
