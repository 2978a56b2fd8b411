package tandem.model;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.data.Batch;
import tandem.data.HandBatch;

class FitTest {

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text.replace('\'', '"'));
    }

    @Test
    void data_read_in_another_way_are_refused_with_both_values() throws IOException {
        JsonNode model = json("{'format':'csv','hashBits':20,'columns':{'age':'numeric'}}");
        assertDoesNotThrow(() -> Fit.check(model, model));
        assertDoesNotThrow(() -> Fit.check(model, json("{'format':'csv'}")));
        assertDoesNotThrow(() -> Fit.check(model, json("null")));
        IOException bits =
                assertThrows(IOException.class, () -> Fit.check(model, json("{'format':'csv','hashBits':64}")));
        assertTrue(bits.getMessage().contains("hashBits 64, but the model was trained with hashBits 20"));
        IOException column =
                assertThrows(IOException.class, () -> Fit.check(model, json("{'columns':{'age':'ignored'}}")));
        assertTrue(column.getMessage().contains("age \"ignored\""), column.getMessage());
    }

    private static Scorer scorer(int weights) {
        double[] ones = new double[weights];
        Arrays.fill(ones, 1);
        return new Scorer(
                ModelDirectoryTest.model(LongStream.range(100, 100 + weights).toArray(), ones));
    }

    private static Batch batch(long id) {
        return HandBatch.of(new long[][] {{id}}, new float[][] {{1}}, new double[] {1});
    }

    @Test
    void data_without_a_single_known_feature_are_refused() throws IOException {
        Fit fit = new Fit(scorer(50));
        fit.see(batch(1));
        IOException error = assertThrows(IOException.class, fit::end);
        assertTrue(error.getMessage().startsWith("none of the features in the first 1 rows"), error.getMessage());
    }

    @Test
    void data_whose_ids_are_nearly_all_beyond_those_of_training_are_refused() throws IOException {
        LinearModel model = scorer(50).model();
        Scorer seen =
                new Scorer(model.withProvenance(new Provenance("", "", 1, 50, "200", List.of(), Map.of(), null, null)));
        Fit fit = new Fit(seen);
        fit.see(batch(120));
        for (long id = 201; id < 301; id++) {
            fit.see(batch(id));
        }
        IOException error = assertThrows(IOException.class, fit::end);
        assertTrue(error.getMessage().startsWith("99 % of the features in the first 101 rows"), error.getMessage());
        Fit half = new Fit(seen);
        half.see(batch(120));
        half.see(batch(201));
        half.end();
    }

    @Test
    void one_known_feature_or_a_very_small_model_will_do() throws IOException {
        Fit fit = new Fit(scorer(50));
        fit.see(batch(1));
        fit.see(batch(149));
        fit.end();
        Fit small = new Fit(scorer(3));
        small.see(batch(1));
        small.end();
        new Fit(scorer(50)).end();
    }
}
