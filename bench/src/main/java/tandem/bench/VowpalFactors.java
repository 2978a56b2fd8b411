package tandem.bench;

import java.lang.reflect.Method;
import java.util.List;

/// Vowpal Wabbit's low-rank interactions of all features with all, called by reflection because its jar is there only
/// where it was installed. Its rates adapt to each weight, as is its default. It parses its text in every pass: beside
/// the work on pairs that is little.
final class VowpalFactors implements FactorLearner {

    private final List<String> lines;
    private final Object vw;
    private final Method learn;
    private final Method endPass;
    private final Method predict;

    VowpalFactors(List<String> lines, int dimension, FactorChoice choice) throws ReflectiveOperationException {
        this.lines = lines.stream().map(VowpalFactors::text).toList();
        Class<?> type = Class.forName("org.vowpalwabbit.spark.VowpalWabbitNative");
        String options = "--loss_function logistic --lrq aa%d -l %s --l2 %s -b 24 --quiet"
                .formatted(dimension, choice.rate(), choice.l2());
        vw = type.getConstructor(String.class).newInstance(options);
        learn = type.getMethod("learnFromString", String.class);
        endPass = type.getMethod("endPass");
        predict = type.getMethod("predictFromString", String.class);
    }

    @Override
    public void pass() throws ReflectiveOperationException {
        for (String line : lines) {
            learn.invoke(vw, line);
        }
        endPass.invoke(vw);
    }

    @Override
    public double score(String line) throws ReflectiveOperationException {
        String text = text(line);
        Object prediction = predict.invoke(vw, text.substring(text.indexOf('|')));
        return (float) prediction.getClass().getMethod("getValue").invoke(prediction);
    }

    /// The row in its text format, all features in one namespace.
    private static String text(String line) {
        return (line.startsWith("1") ? "1 |a" : "-1 |a") + line.substring(line.indexOf(' '));
    }
}
