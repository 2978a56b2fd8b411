package tandem.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// A [FactorTool] as a program of its own: learns from one file of LIBSVM text and predicts another.
public final class FactorPeerDriver {

    /// So many passes without a gain, and no more are tried.
    private static final int PATIENCE = 3;

    record Best(int passes, double logloss) {}

    private FactorPeerDriver() {}

    /// Arguments: the tool, the file to learn from, the one to predict, one more than the largest id, the dimension,
    /// the learning rate, the L2 penalty, the passes, and where probabilities go. Without that last one it looks
    /// for the number of passes, up to those given, that is best for the second file.
    public static void main(String[] args) throws Exception {
        List<String> heldOut = Files.readAllLines(Path.of(args[2]));
        FactorChoice choice =
                new FactorChoice(Double.parseDouble(args[5]), Double.parseDouble(args[6]), Integer.parseInt(args[7]));
        FactorLearner learner = FactorTool.valueOf(args[0])
                .learner(
                        Files.readAllLines(Path.of(args[1])),
                        Integer.parseInt(args[3]),
                        Integer.parseInt(args[4]),
                        choice);
        if (args.length > 8) {
            learn(learner, choice.passes());
            Files.write(
                    Path.of(args[8]),
                    Arrays.stream(probabilities(learner, heldOut))
                            .mapToObj(String::valueOf)
                            .toList());
        } else {
            Best best = tryPasses(learner, choice.passes(), heldOut);
            System.out.println("best passes " + best.passes());
            System.out.println("best logloss " + best.logloss());
        }
    }

    private static void learn(FactorLearner learner, int passes) throws Exception {
        Trial times = Trial.of(
                () -> {
                    for (int pass = 0; pass < passes; pass++) {
                        learner.pass();
                    }
                    return passes;
                },
                (found, _) -> found);
        System.out.println("train seconds " + times.wallSeconds());
        System.out.println("train cpu " + times.cpuSeconds());
    }

    /// After which number of passes rows that were not learned from are predicted best.
    static Best tryPasses(FactorLearner learner, int most, List<String> heldOut) throws Exception {
        double[] labels = heldOut.stream()
                .mapToDouble(line -> Double.parseDouble(line.substring(0, line.indexOf(' '))))
                .toArray();
        Best best = new Best(1, Double.POSITIVE_INFINITY);
        for (int passes = 1; passes <= most && passes <= best.passes() + PATIENCE; passes++) {
            learner.pass();
            double logloss = Logloss.of(labels, probabilities(learner, heldOut));
            if (logloss < best.logloss()) {
                best = new Best(passes, logloss);
            }
        }
        return best;
    }

    private static double[] probabilities(FactorLearner learner, List<String> lines) throws Exception {
        double[] probabilities = new double[lines.size()];
        for (int i = 0; i < probabilities.length; i++) {
            probabilities[i] = 1 / (1 + Math.exp(-learner.score(lines.get(i))));
        }
        return probabilities;
    }
}
