package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import tandem.client.Client;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Station;
import tandem.client.Waiting;
import tandem.cluster.Guest;
import tandem.data.Batch;
import tandem.data.KeyPlaces;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.model.BatchScorer;
import tandem.model.ModelCard;
import tandem.runtime.RunDirectory;
import tandem.runtime.Sockets;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.worker.PulledFactors;
import tandem.worker.PulledScores;
import tandem.worker.PulledWeights;

/// Scores with the weights of a job that is training, as they are at that moment: pulls those of a batch from the
/// servers, outside all streams, so that nobody waits for it and nothing changes.
public final class RunningJob implements BatchScorer {

    private static final long ASK_NANOS = 250_000_000;
    private static final long SILENCE_NANOS = 10_000_000_000L;

    private final JobCard card;
    private final KeyPlaces places;
    private final RunDirectory directory;
    private final Sockets ground;
    private final Client client;
    private final Address self;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CompletableFuture<Station> station = new CompletableFuture<>();

    private RunningJob(JobCard card, Trust trust) throws IOException {
        this.card = card;
        places = card.places() == null ? KeyPlaces.NONE : KeyPlaces.read(Path.of(card.places()));
        self = Address.reader(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE));
        directory = new RunDirectory();
        ground = new Sockets(
                new Place.Unix(directory.path().resolve("reader")),
                Place.of(card.coordinator()),
                trust,
                LinkLimits.DEFAULT,
                Shape.NONE);
        client = new Client(ground.resendNanos());
    }

    /// Finds the job called `name` and its servers.
    public static RunningJob open(JobDirectory jobs, String name) throws IOException {
        RunningJob job = new RunningJob(jobs.job(name), jobs.trust(name));
        try {
            job.connect();
            return job;
        } catch (IOException | RuntimeException e) {
            job.close();
            throw e;
        }
    }

    private void connect() throws IOException {
        Guest guest = new Guest(client, ASK_NANOS);
        ground.add(self, guest);
        ground.loop(self, here -> {
            station.complete(here);
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Thread.ofPlatform().name("tandem-guest").daemon().start(() -> {
            try {
                ground.run();
            } catch (RuntimeException | Error e) {
                station.completeExceptionally(e);
            }
        });
        try {
            new Waiting(self, station.join(), SILENCE_NANOS, _ -> guest.coordinatorHeardNanos()).await(guest.placed());
        } catch (Overdue e) {
            throw ended(e);
        }
    }

    @Override
    public ModelCard card() {
        return card.model();
    }

    @Override
    public long size() {
        return 0;
    }

    @Override
    public void scores(Batch batch, double[] into) throws IOException {
        forThread().scores(batch, into);
    }

    @Override
    public int known(Batch batch) throws IOException {
        return forThread().known(batch);
    }

    @Override
    public BatchScorer forThread() {
        return new Reader(new Session(self, client, station.join(), SILENCE_NANOS));
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        ground.close();
        directory.close();
    }

    private IOException ended(Overdue e) {
        return card.runs()
                ? new IOException(e.getMessage(), e)
                : new IOException("the job " + card.name() + " has ended; use the model that it wrote, if it did", e);
    }

    /// Reads for one thread.
    private final class Reader implements BatchScorer {

        private final Session session;
        private final Layout layout;
        private double[] weights = {};
        private double intercept;

        Reader(Session session) {
            this.session = session;
            this.layout = session.layout();
        }

        @Override
        public ModelCard card() {
            return RunningJob.this.card();
        }

        @Override
        public long size() {
            return 0;
        }

        @Override
        public void scores(Batch mixed, double[] into) throws IOException {
            Batch batch = placed(mixed);
            int outputs = card().outputs();
            for (int k = 0; k < outputs; k++) {
                if (isRagged(k)) {
                    double[] scores = new double[batch.rows()];
                    factors(k, machine -> machine.score(batch, scores));
                    for (int row = 0; row < batch.rows(); row++) {
                        into[row * outputs + k] = scores[row];
                    }
                    continue;
                }
                pull(k, batch);
                for (int row = 0; row < batch.rows(); row++) {
                    double sum = intercept;
                    for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                        sum += weights[batch.positions()[at]] * batch.values()[at];
                    }
                    into[row * outputs + k] = sum;
                }
            }
        }

        @Override
        public int known(Batch mixed) throws IOException {
            Batch batch = placed(mixed);
            if (isRagged(0)) {
                int[] ofFactors = {0};
                factors(0, machine -> ofFactors[0] = machine.known(batch));
                return ofFactors[0];
            }
            pull(0, batch);
            int known = 0;
            for (int i = 0; i < batch.keyCount(); i++) {
                known += weights[i] != 0 ? 1 : 0;
            }
            return known;
        }

        /// The same batch under the keys that features have on servers.
        private Batch placed(Batch mixed) {
            if (places.isNone()) {
                return mixed;
            }
            Batch placed = mixed.copy();
            placed.rekey(places::key);
            return placed;
        }

        /// Whether features have factors beside their weight.
        private boolean isRagged(int output) {
            return layout.tables()[layout.table(JobTables.weightsName(output))].variable();
        }

        private void factors(int output, Consumer<PulledFactors> asked) throws IOException {
            int intercept = card.intercept() ? layout.table(JobTables.interceptName(output)) : -1;
            try {
                asked.accept(new PulledFactors(
                        session, layout.table(JobTables.weightsName(output)), intercept, card().dimension()));
            } catch (Overdue e) {
                throw ended(e);
            }
        }

        private void pull(int output, Batch batch) throws IOException {
            Keys keys = Keys.once(batch.keys(), batch.keyCount());
            try {
                weights = PulledWeights.of(session, layout.table(JobTables.weightsName(output)), keys);
                if (card.intercept()) {
                    int table = layout.table(JobTables.interceptName(output));
                    intercept = PulledWeights.of(session, table, PulledScores.INTERCEPT)[0];
                }
            } catch (Overdue e) {
                throw ended(e);
            }
        }
    }
}
