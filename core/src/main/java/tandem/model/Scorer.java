package tandem.model;

import java.io.IOException;
import java.nio.file.Path;
import tandem.data.Batch;
import tandem.math.Mix;
import tandem.math.Pairs;
import tandem.problem.Link;

/// Scores examples with a model. It never changes, so any number of threads may use one.
///
/// ```java
/// Scorer scorer = Scorer.load(Path.of("m2"));
/// double p = scorer.probability(new long[] {3, 17}, new float[] {1, 0.5f});
/// ```
/// Ids are those of the data as a reader gives them; an id without a weight adds nothing.
public final class Scorer implements BatchScorer {

    private static final int LIMIT = 700_000_000;

    private final FactorModel machine;
    private final LinearModel model;
    private final ModelCard card;
    private final Link link;
    private final int outputs;

    /// Open addressing over mixed keys, which spread by themselves: a slot + 1 in each place, 0 if free.
    private final int[] places;

    private final long[] keys;

    /// Slot by slot, the weights of all outputs together.
    private final double[] weights;

    public Scorer(LinearModel model) {
        this(FactorModel.linear(model));
    }

    /// Of a factorisation machine.
    public Scorer(FactorModel machine) {
        this.machine = machine;
        model = machine.weights();
        card = machine.card();
        link = model.link();
        outputs = model.outputs();
        int count = model.ids().length;
        if (count > LIMIT || (long) count * outputs > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("a model of " + count + " ids and " + outputs
                    + " outputs is too large for one scorer; " + LIMIT + " ids are the most");
        }
        places = new int[Integer.highestOneBit(count + count / 2 + 1) << 1];
        keys = new long[count];
        weights = new double[count * outputs];
        for (int slot = 0; slot < count; slot++) {
            keys[slot] = Mix.mix(model.ids()[slot]);
            places[free(keys[slot])] = slot + 1;
            for (int k = 0; k < outputs; k++) {
                weights[slot * outputs + k] = model.weights()[k][slot];
            }
        }
    }

    public static Scorer load(Path directory) throws IOException {
        return new Scorer(StoredModel.at(directory).loadFactors());
    }

    /// The model; of a factorisation machine its weights.
    public LinearModel model() {
        return model;
    }

    @Override
    public ModelCard card() {
        return card;
    }

    @Override
    public long size() {
        return keys.length;
    }

    /// How many scores an example gets.
    public int outputs() {
        return outputs;
    }

    /// xᵀw plus the intercept and, in a factorisation machine, what pairs of features mean together; of a model with
    /// one output. No id may come twice.
    public double score(long[] ids, float[] values) {
        if (outputs > 1) {
            throw new IllegalStateException("the model has " + outputs + " classes and as many scores; ask for scores");
        }
        double sum = model.intercepts()[0];
        for (int i = 0; i < ids.length; i++) {
            int slot = slot(Mix.mix(ids[i]));
            sum += slot < 0 ? 0 : weights[slot] * values[i];
        }
        return card.dimension() == 0 ? sum : sum + pairs(0, ids, values);
    }

    /// What pairs of features add to the score of an output.
    private double pairs(int output, long[] ids, float[] values) {
        Pairs pairs = new Pairs(card.dimension());
        for (int i = 0; i < ids.length; i++) {
            int slot = slot(Mix.mix(ids[i]));
            if (slot >= 0) {
                pairs.add(machine.factors()[output], slot * card.dimension(), values[i]);
            }
        }
        return pairs.value();
    }

    /// The probability of the positive class.
    public double probability(long[] ids, float[] values) {
        if (link != Link.LOGISTIC) {
            throw new IllegalStateException("a model of " + model.loss()
                    + " loss has no probabilities, only scores; train with --loss logistic to have them");
        }
        return link.mean(score(ids, values));
    }

    /// What the model predicts of a number: the score, or for counts its exponential.
    public double predict(long[] ids, float[] values) {
        return card.predicted(score(ids, values));
    }

    /// One score an output.
    public double[] scores(long[] ids, float[] values) {
        double[] sums = model.intercepts().clone();
        for (int i = 0; i < ids.length; i++) {
            int slot = slot(Mix.mix(ids[i]));
            for (int k = 0; k < outputs && slot >= 0; k++) {
                sums[k] += weights[slot * outputs + k] * values[i];
            }
        }
        for (int k = 0; k < outputs && card.dimension() > 0; k++) {
            sums[k] += pairs(k, ids, values);
        }
        return sums;
    }

    /// The index of the predicted class.
    public int classOf(long[] ids, float[] values) {
        return card.classOf(scores(ids, values), 0);
    }

    /// The name of the predicted class.
    public String label(long[] ids, float[] values) {
        return model.classes().get(classOf(ids, values));
    }

    @Override
    public void scores(Batch batch, double[] into) {
        int[] slots = new int[batch.keyCount()];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = slot(batch.keys()[i]);
        }
        int[] starts = batch.starts();
        int[] positions = batch.positions();
        float[] values = batch.values();
        for (int row = 0; row < batch.rows(); row++) {
            for (int k = 0; k < outputs; k++) {
                double sum = model.intercepts()[k];
                for (int entry = starts[row]; entry < starts[row + 1]; entry++) {
                    int slot = slots[positions[entry]];
                    sum += slot < 0 ? 0 : weights[slot * outputs + k] * values[entry];
                }
                into[row * outputs + k] = sum;
            }
        }
        if (card.dimension() > 0) {
            addPairs(batch, slots, into);
        }
    }

    /// Adds what pairs of features mean together.
    private void addPairs(Batch batch, int[] slots, double[] into) {
        int dimension = card.dimension();
        Pairs pairs = new Pairs(dimension);
        for (int row = 0; row < batch.rows(); row++) {
            for (int k = 0; k < outputs; k++) {
                pairs.clear();
                for (int entry = batch.starts()[row]; entry < batch.starts()[row + 1]; entry++) {
                    int slot = slots[batch.positions()[entry]];
                    if (slot >= 0) {
                        pairs.add(machine.factors()[k], slot * dimension, batch.values()[entry]);
                    }
                }
                into[row * outputs + k] += pairs.value();
            }
        }
    }

    @Override
    public int known(Batch batch) {
        int known = 0;
        for (int i = 0; i < batch.keyCount(); i++) {
            known += slot(batch.keys()[i]) >= 0 ? 1 : 0;
        }
        return known;
    }

    private int slot(long key) {
        int mask = places.length - 1;
        for (int place = (int) key & mask; places[place] != 0; place = (place + 1) & mask) {
            if (keys[places[place] - 1] == key) {
                return places[place] - 1;
            }
        }
        return -1;
    }

    private int free(long key) {
        int mask = places.length - 1;
        int place = (int) key & mask;
        while (places[place] != 0) {
            place = (place + 1) & mask;
        }
        return place;
    }
}
