package tandem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Runs other tools for factorisation machines, each as a process of its own, and judges what they predict of held-out
/// rows.
///
/// @param features one more than the largest id
record FactorPeers(Peers peers, Workspace work, Path training, Path heldOut, int features, int dimension) {

    /// One of so many rows to learn from is kept to choose settings by.
    private static final int FOLDS = 5;

    /// How long it took to train, and all of the process, with reading and predicting.
    record Timed(Trial training, Trial whole) {}

    /// The settings of those that are tried whose machine, trained on most of the rows to learn from, does best on the
    /// rest of them.
    FactorChoice choose(FactorTool tool) throws IOException, InterruptedException {
        Path most = work.file("most.svm");
        Path rest = work.file("rest.svm");
        split(most, rest);
        FactorChoice best = null;
        double least = Double.POSITIVE_INFINITY;
        for (FactorChoice choice : tool.choices()) {
            Child.Run run = drive(tool, most, rest, choice, List.of());
            if (run.after("best logloss ") < least) {
                least = run.after("best logloss ");
                best = new FactorChoice(choice.rate(), choice.l2(), (int) run.after("best passes "));
            }
        }
        if (best == null) {
            throw new IOException(tool.label() + " diverged with all settings that were tried: " + tool.choices());
        }
        return best;
    }

    Timed run(FactorTool tool, FactorChoice choice) throws IOException, InterruptedException {
        Path predictions = work.file("driver.out");
        Child.Run run = drive(tool, training, heldOut, choice, List.of(predictions.toString()));
        double logloss = logloss(predictions);
        return new Timed(
                Trial.of(run.after("train seconds "), run.after("train cpu "))
                        .withPeakBytes(run.trial().peakBytes())
                        .withLogloss(logloss),
                run.trial().withLogloss(logloss));
    }

    private Child.Run drive(FactorTool tool, Path from, Path to, FactorChoice choice, List<String> more)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                tool.name(),
                from.toString(),
                to.toString(),
                String.valueOf(features),
                String.valueOf(dimension),
                String.valueOf(choice.rate()),
                String.valueOf(choice.l2()),
                String.valueOf(choice.passes())));
        arguments.addAll(more);
        return Child.run(
                Child.java(List.of(), tool.jars(peers), FactorPeerDriver.class.getName(), arguments), work.folder());
    }

    private void split(Path most, Path rest) throws IOException {
        List<String> lines = Files.readAllLines(training);
        int cut = lines.size() / FOLDS * (FOLDS - 1);
        Files.write(most, lines.subList(0, cut));
        Files.write(rest, lines.subList(cut, lines.size()));
    }

    /// libFM by Markov chain Monte Carlo, which has no learning rate to choose. It prints no times, so reading counts.
    Timed libfm(int iterations) throws IOException, InterruptedException {
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
        Trial whole = run.trial().withLogloss(logloss(predictions));
        return new Timed(whole, whole);
    }

    /// xLearn with its defaults and early stopping on the held-out rows; reading counts.
    Timed xlearn(int passes) throws IOException, InterruptedException {
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
        Trial whole = run.trial().withLogloss(logloss(predictions));
        return new Timed(whole, whole);
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
        return Logloss.of(labels, probabilities);
    }

    private double[] labels() throws IOException {
        try (Stream<String> lines = Files.lines(heldOut)) {
            return lines.mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
                    .toArray();
        }
    }
}
