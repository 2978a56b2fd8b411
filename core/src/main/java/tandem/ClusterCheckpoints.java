package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.model.RangeFile;
import tandem.report.Json;
import tandem.wire.Address;
import tandem.wire.TableSpec;

/// The coordinator's side of checkpoints: a consistent cut is made while workers stand still, with all their updates
/// acknowledged; servers write it while workers go on, and when all have, it is published. One that cannot be written
/// is no reason to stop training: it is told, and the one before is kept.
final class ClusterCheckpoints {

    /// How often to see whether servers are alive.
    private static final long TICK_NANOS = 100_000_000;

    private final Run run;
    private final LinearJob job;
    private final Conductor conductor;

    /// Null if none are kept.
    private final Generations generations;

    /// The generation that was published last, in this run; 0 for none.
    private long last;

    /// What is being written; null if nothing is.
    private Writing writing;

    private record Writing(long generation, Manifest manifest, Coordinator.Round round) {}

    ClusterCheckpoints(Run run, LinearJob job, Conductor conductor) {
        this.run = run;
        this.job = job;
        this.conductor = conductor;
        this.generations = run.generations();
    }

    boolean isOn() {
        return generations != null;
    }

    /// Whether workers should stand still: it is time, or the run is to stop.
    boolean isDue() {
        return isOn() && writing == null && (run.checkpointDue() || run.interrupted());
    }

    /// Has servers copy what they hold, all of it at one moment since nothing changes it now, and begin to write it.
    ///
    /// @param manifest all but the files of rows
    void take(Manifest manifest, Servers servers) {
        long generation = 0;
        try {
            generation = generations.numbers().stream().findFirst().orElse(0L) + 1;
            Path draft = generations.begin(generation);
            for (RangeFile file : manifest.weights().toList()) {
                Generations.link(Path.of(job.files().draft(), file.file()), draft);
            }
            awaitCopies(servers);
            byte[] write = new ServerOrder.Write(generation).bytes();
            List<Address> all = conductor.servers();
            writing = new Writing(generation, manifest, conductor.begin(all, write, all.size()));
        } catch (IOException | Coordinator.Failed e) {
            failed(e.getMessage(), generation);
        }
        run.checkpointed();
    }

    /// While seats pass to others, some shards may be copied twice or not at all: then it is done again.
    private void awaitCopies(Servers servers) {
        ServerOrder copy = new ServerOrder.Copy(last);
        TreeSet<String> copied = new TreeSet<>();
        int count = -1;
        while (count != copied.size() || !copied.equals(expected())) {
            List<String> files = servers.tellAnyway(copy).stream()
                    .flatMap(told -> Arrays.stream(Json.read(told, ShardFile.Place[].class)))
                    .map(ShardFile.Place::file)
                    .toList();
            count = files.size();
            copied = new TreeSet<>(files);
        }
    }

    private TreeSet<String> expected() {
        TreeSet<String> all = new TreeSet<>();
        for (int table = 0; table < job.tables().size(); table++) {
            TableSpec spec = job.tables().get(table);
            for (int shard = 0; shard < spec.shards(); shard++) {
                all.add(new ShardFile.Place(table, shard).file());
            }
        }
        return all;
    }

    /// Publishes what has been written, if servers are done with that.
    void tend() {
        if (writing != null && writing.round.enough().isDone()) {
            end();
        }
    }

    /// Waits until what is being written is published.
    void finish() {
        if (writing != null) {
            end();
        }
    }

    private void end() {
        Writing ended = writing;
        writing = null;
        try {
            conductor.awaitEnough(ended.round, TICK_NANOS, () -> {});
            List<ShardFile> files = ended.round.orders().stream()
                    .map(order -> conductor.result(order, TICK_NANOS, () -> {}))
                    .flatMap(told -> Arrays.stream(Json.read(told, ShardFile[].class)))
                    .toList();
            if (!files.stream()
                    .map(file -> file.place().file())
                    .collect(Collectors.toSet())
                    .equals(expected())) {
                throw new IOException("a server was lost that had copied a part of it");
            }
            generations.publish(ended.generation, ended.manifest.with(files));
            last = ended.generation;
            run.note("checkpoint " + Generations.place(generations.directory(), ended.generation));
        } catch (IOException | Coordinator.Failed | Coordinator.Gone e) {
            failed(e.getMessage(), ended.generation);
        }
    }

    private void failed(String why, long generation) {
        try {
            generations.abandon(generation);
        } catch (IOException e) {
            run.note("what there is of a checkpoint could not be removed: " + e.getMessage());
        }
        run.note("no checkpoint was made: " + why + ". Training goes on, and the checkpoint before is kept");
    }
}
