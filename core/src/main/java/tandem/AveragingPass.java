package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;

/// A pass of workers that average among themselves, the coordinator's side. Servers have what they had until all
/// workers are through; then those tell servers the average, each a part of it.
record AveragingPass(DistributedTraining training, int problem, int pass) {

    /// Has workers work on the pass; false if somebody was lost, or the run is to stop, and servers have what they had.
    boolean work(Runnable meanwhile) {
        Run run = training.run();
        Workers workers = training.workers();
        Map<Integer, Long> lives = training.conductor().lives();
        if (!ordered(new Order.Averages(pass, workers.generation(), lives, null), meanwhile)
                .containsAll(lives.keySet())) {
            if (!run.interrupted()) {
                run.note("a worker was lost in pass " + (pass + 1) + "; all begin it anew, from the weights before it");
            }
            return false;
        }
        Set<Integer> writers = lives.keySet();
        while (true) {
            Map<Integer, Integer> parts = new TreeMap<>();
            writers.forEach(worker -> parts.put(worker, parts.size()));
            Set<Integer> written = ordered(new Order.Averages(pass, workers.generation(), lives, parts), meanwhile);
            if (written.containsAll(writers)) {
                return true;
            }
            if (written.isEmpty()) {
                throw new UncheckedIOException(new IOException("all workers were lost while they told servers the"
                        + " average of pass " + (pass + 1) + ", of which servers have a part; go on from a checkpoint"
                        + " (--resume), or train again"));
            }
            writers = written;
        }
    }

    /// Has the workers of an order carry it out, unless one of them is lost; those that have.
    private Set<Integer> ordered(Order.Averages averages, Runnable meanwhile) {
        Run run = training.run();
        Workers workers = training.workers();
        Conductor conductor = training.conductor();
        ClusterTerms terms = training.job().terms();
        training.headway().enough(terms.workers());
        byte[] order = new Order(problem, training.rounds(), null, averages).bytes();
        Coordinator.Round round = conductor.begin(terms.workerAddresses(), order, terms.workers());
        workers.await(round, () -> {
            meanwhile.run();
            if (run.interrupted() || !conductor.lives().equals(averages.lives())) {
                conductor.leave(round);
            }
        });
        workers.settle(true);
        return workers.told().entrySet().stream()
                .filter(entry -> entry.getValue().over())
                .map(entry -> entry.getKey().number())
                .collect(Collectors.toSet());
    }
}
