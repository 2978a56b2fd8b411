package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import tandem.client.Session;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.model.RangeFile;
import tandem.report.Json;
import tandem.worker.PulledScores;
import tandem.worker.PulledWeights;

/// All servers, the coordinator's side. What they are told is done again, by those that are left, if one was lost
/// meanwhile; what they tell is asked for again if some shards were on their way to others, and so told twice or not at
/// all.
record Servers(Run run, LinearJob job, Conductor conductor) {

    /// Has all servers do something, unless the run is to stop and nothing would be kept.
    List<byte[]> tell(ServerOrder order) {
        byte[] bytes = order.bytes();
        return tell(() -> bytes, run::stopUnlessKept);
    }

    /// The same though the run is to stop.
    List<byte[]> tellAnyway(ServerOrder order) {
        byte[] bytes = order.bytes();
        return tell(() -> bytes, () -> {});
    }

    private List<byte[]> tell(Supplier<byte[]> order, Runnable meanwhile) {
        while (true) {
            try {
                return conductor.order(conductor.servers(), order.get(), DistributedTraining.TICK_NANOS, meanwhile);
            } catch (Coordinator.Gone e) {
                run.note(e.getMessage() + "; the others do it");
            }
        }
    }

    /// Reads what they have.
    Session reader() {
        return conductor.reader(job.terms().silenceNanos());
    }

    /// How much they hold.
    ServerMemory memory() {
        return ServerMemory.of(tell(new ServerOrder.Measure()).stream()
                .map(bytes -> Json.read(bytes, ServerMemory.class))
                .toList());
    }

    /// What the weights of a problem add up to.
    WeightSums sums(int problem) {
        int shards = shards(problem);
        while (true) {
            WeightSums.Share all = tell(new ServerOrder.Sum(problem)).stream()
                    .map(bytes -> Json.read(bytes, WeightSums.Share.class))
                    .reduce(WeightSums.Share.NONE, WeightSums.Share::plus);
            if (all.shards() == shards) {
                return all.sums();
            }
        }
    }

    /// Has every server put its own weights of a problem into files, over those it put there before.
    SavedProblem save(int problem) throws IOException {
        List<SavedProblem.Share> shares = shares(problem);
        return SavedProblem.of(shares, job.intercept() ? intercept(problem) : 0);
    }

    private double intercept(int problem) {
        return PulledWeights.of(reader(), job.interceptTable(problem), PulledScores.INTERCEPT)[0];
    }

    private List<SavedProblem.Share> shares(int problem) throws IOException {
        int shards = shards(problem);
        Astray astray = job.keepsGroups() ? astray(problem, shards) : null;
        while (true) {
            // Of the epoch in which the order was given at last: who was taken for lost before is in an earlier one.
            long[] epoch = {0};
            List<SavedProblem.Share> shares = tell(
                            () -> {
                                epoch[0] = conductor.epoch();
                                return new ServerOrder.Save(problem, epoch[0], astray).bytes();
                            },
                            run::stopUnlessKept)
                    .stream()
                    .map(bytes -> Json.read(bytes, SavedProblem.Share.class))
                    .toList();
            List<RangeFile> files =
                    shares.stream().flatMap(share -> share.files().stream()).toList();
            if (files.size() == shards
                    && files.stream().map(RangeFile::file).distinct().count() == shards) {
                for (RangeFile file : files) {
                    file.accepted(Path.of(job.files().draft()), epoch[0]);
                }
                return shares;
            }
        }
    }

    /// The weights that are not on the servers of their files.
    private Astray astray(int problem, int shards) {
        while (true) {
            Astray all = tell(new ServerOrder.FindAstray(problem)).stream()
                    .map(bytes -> Json.read(bytes, Astray.class))
                    .reduce(Astray.NONE, Astray::plus);
            if (all.shards() == shards) {
                return all;
            }
        }
    }

    private int shards(int problem) {
        return job.tables().get(job.table(problem)).shards();
    }
}
