package tandem.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class InspectionTest {

    @Test
    void a_model_is_described_with_its_largest_weights() {
        LinearModel model = ModelDirectoryTest.model(new long[] {1, 2, 3, -1}, 0.5, -3, 0, 1.25);
        assertEquals("""
            loss        logistic
            classes     -1, +1 (positive)
            weights     3 of 123 (2.44 %) not zero, stored as F64
            intercept   0.250000
            trained     2026-01-01T00:00:00Z by Tandem 0.1.0, seed 7
            data        a9a.svm (12ab)
            settings    l1 1
            metrics     auc 0.900000
            schema      {"format":"libsvm"}

            largest weights
                        -3  2  age
                   1.25000  18446744073709551615
            """, Inspection.text(model, 2, id -> id == 2 ? "age" : null));
    }
}
