package tandem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Runs other tools for factorisation machines, each as a process of its own, reading included, and judges what they
/// predict of held-out rows.
record FactorPeers(Peers peers, Workspace work, Path training, Path heldOut, int dimension) {

    private static final double CLIP = 1e-15;

    /// libFM by Markov chain Monte Carlo, which has no learning rate to choose.
    Trial libfm(int iterations) throws IOException, InterruptedException {
        Path predictions = work.file("libfm.out");
        Child.Run run = Child.run(
                List.of(
                        peers.libfm().toString(),
                        "-task",
                        "c",
                        "-method",
                        "mcmc",
                        "-dim",
                        "1,1," + dimension,
                        "-iter",
                        String.valueOf(iterations),
                        "-train",
                        training.toString(),
                        "-test",
                        heldOut.toString(),
                        "-out",
                        predictions.toString()),
                work.folder());
        return run.trial().withLogloss(logloss(predictions));
    }

    /// xLearn with its defaults and early stopping on the held-out rows.
    Trial xlearn(int passes) throws IOException, InterruptedException {
        Path model = work.file("xlearn.model");
        Path predictions = work.file("xlearn.out");
        Child.Run run = Child.run(
                List.of(
                        peers.xlearn().toString(),
                        training.toString(),
                        "-s",
                        "1",
                        "-k",
                        String.valueOf(dimension),
                        "-e",
                        String.valueOf(passes),
                        "-v",
                        heldOut.toString(),
                        "-m",
                        model.toString()),
                work.folder());
        Child.run(
                List.of(
                        peers.xlearn().resolveSibling("xlearn_predict").toString(),
                        heldOut.toString(),
                        model.toString(),
                        "-o",
                        predictions.toString(),
                        "--sigmoid"),
                work.folder());
        return run.trial().withLogloss(logloss(predictions));
    }

    /// Of one probability a line, by the labels of the held-out rows.
    private double logloss(Path predictions) throws IOException {
        double[] labels = labels();
        double[] probabilities;
        try (Stream<String> lines = Files.lines(predictions)) {
            probabilities = lines.filter(line -> !line.isBlank())
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        }
        if (probabilities.length != labels.length) {
            throw new IOException("%s has %d predictions for %d rows"
                    .formatted(predictions.getFileName(), probabilities.length, labels.length));
        }
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            double p = Math.clamp(probabilities[i], CLIP, 1 - CLIP);
            sum -= labels[i] > 0 ? Math.log(p) : Math.log1p(-p);
        }
        return sum / labels.length;
    }

    private double[] labels() throws IOException {
        try (Stream<String> lines = Files.lines(heldOut)) {
            return lines.mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
                    .toArray();
        }
    }
}
