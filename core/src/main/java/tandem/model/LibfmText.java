package tandem.model;

import java.io.IOException;
import java.io.Writer;
import tandem.report.Progress;

/// A factorisation machine as the text file that libFM reads and writes (`-load_model`, `-save_model`): the intercept,
/// then the weight of each feature from 0 to the largest, a line each, then the factors of each.
final class LibfmText {

    private static final long LARGEST = Integer.MAX_VALUE - 1;

    private LibfmText() {}

    static void write(FactorModel machine, Writer out) throws IOException {
        LinearModel model = machine.weights();
        if (machine.dimension() == 0) {
            throw new IllegalArgumentException(
                    "the model is linear, and libFM's models have factors; export it as" + " liblinear, json or csv");
        }
        if (model.outputs() > 1) {
            throw new IllegalArgumentException("the model tells " + model.outputs() + " classes apart, and libFM's"
                    + " models two; export it as json or csv");
        }
        int features = features(model);
        out.write("#global bias W0\n" + model.intercepts()[0] + "\n#unary interactions Wj\n");
        for (int feature = 0, at = 0; feature < features; feature++) {
            boolean known = at < model.ids().length && model.ids()[at] == feature;
            out.write((known ? model.weights()[0][at++] : 0) + "\n");
        }
        out.write("#pairwise interactions Vj,f\n");
        for (int feature = 0, at = 0; feature < features; feature++) {
            boolean known = at < model.ids().length && model.ids()[at] == feature;
            for (int f = 0; f < machine.dimension(); f++) {
                out.write((f == 0 ? "" : " ") + (known ? machine.factor(0, at, f) : 0));
            }
            out.write("\n");
            at += known ? 1 : 0;
        }
    }

    /// One more than the largest id that training saw: libFM counts features from 0.
    private static int features(LinearModel model) {
        long[] ids = model.ids();
        String seen = model.provenance().largestId();
        long largest = seen.isEmpty() ? 0 : Long.parseUnsignedLong(seen);
        if (ids.length > 0 && Long.compareUnsigned(ids[ids.length - 1], largest) > 0) {
            largest = ids[ids.length - 1];
        }
        if (Long.compareUnsigned(largest, LARGEST) > 0) {
            throw new IllegalArgumentException("the largest feature id is " + Long.toUnsignedString(largest)
                    + "; libFM has a line for each up to it and counts to " + Progress.count(LARGEST)
                    + " at most. Train with --hash-bits 24 or fewer, or export as json or csv");
        }
        return (int) largest + 1;
    }
}
