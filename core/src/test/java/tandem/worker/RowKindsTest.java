package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowKindsTest {

    /// 16 labels and as many weights are 256 kinds, which a byte just holds.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 16, 17, 1_000})
    void every_row_has_its_label_and_importance_however_many_kinds_there_are(int different) {
        SplittableRandom random = new SplittableRandom(different);
        double[] labels = new double[5_000];
        float[] weights = new float[labels.length];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = random.nextInt(different) - different / 2;
            weights[i] = random.nextInt(different) / 8f;
        }
        RowKinds kinds = RowKinds.of(4_900, labels, weights, label -> 3 * label, 2.5);
        assertEquals(4_900, kinds.rows());
        for (int i = 0; i < kinds.rows(); i++) {
            assertEquals(3 * labels[i], kinds.label(i));
            assertEquals(weights[i] * (labels[i] > 0 ? 2.5 : 1), kinds.importance(i));
        }
    }
}
