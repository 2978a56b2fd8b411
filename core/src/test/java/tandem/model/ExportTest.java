package tandem.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import de.bwaldvogel.liblinear.Feature;
import de.bwaldvogel.liblinear.FeatureNode;
import de.bwaldvogel.liblinear.Linear;
import de.bwaldvogel.liblinear.Model;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tandem.problem.Loss;
import tandem.problem.Span;

class ExportTest {

    @TempDir
    Path dir;

    private static String text(Export export, LinearModel model) throws IOException {
        StringWriter out = new StringWriter();
        export.write(model, out, id -> id == 2 ? "age, \"years\"" : null);
        return out.toString();
    }

    private static LinearModel random(String loss, List<String> classes, double intercept) {
        Random random = new Random(classes.size() + loss.length());
        long[] ids = random.longs(40, 1, 200).distinct().sorted().toArray();
        double[][] weights = new double[classes.size() > 2 ? classes.size() : 1][];
        double[] intercepts = new double[weights.length];
        Arrays.fill(intercepts, intercept);
        for (int k = 0; k < weights.length; k++) {
            weights[k] = random.doubles(ids.length, -3, 3).toArray();
        }
        return new LinearModel(loss, classes, ids, weights, intercepts, Precision.F64, null, Provenance.NONE);
    }

    @Test
    void liblinear_gives_the_scores_and_labels_of_ours() throws IOException {
        List<LinearModel> models = List.of(
                random("logistic", List.of("-1", "+1"), 0),
                random("logistic", List.of("0", "1"), 0.5),
                random("hinge", List.of("-1", "1"), -0.25),
                random("squared-hinge", List.of("1", "2", "7"), 0),
                random("logistic", List.of("1", "2", "3"), 0.125),
                random("squared", List.of(), 2));
        for (LinearModel model : models) {
            Model other = Linear.loadModel(new StringReader(text(Export.LIBLINEAR, model)));
            Scorer scorer = new Scorer(model);
            Random random = new Random(9);
            for (int row = 0; row < 50; row++) {
                long[] ids = random.longs(12, 1, other.getNrFeature() + 1)
                        .distinct()
                        .sorted()
                        .toArray();
                float[] values = new float[ids.length];
                Feature[] features = new Feature[ids.length + 1];
                for (int i = 0; i < ids.length; i++) {
                    values[i] = random.nextFloat();
                    features[i] = new FeatureNode((int) ids[i], values[i]);
                }
                boolean bias = other.getBias() >= 0;
                features[ids.length] = new FeatureNode(other.getNrFeature() + 1, other.getBias());
                double[] found = new double[Math.max(2, model.outputs())];
                double label = Linear.predictValues(other, Arrays.copyOf(features, ids.length + (bias ? 1 : 0)), found);
                double[] scores = scorer.scores(ids, values);
                for (int k = 0; k < model.outputs(); k++) {
                    assertEquals(scores[k], found[k], 1e-9);
                }
                double expected = model.classes().isEmpty() ? scores[0] : Double.parseDouble(scorer.label(ids, values));
                assertEquals(expected, label, 1e-9);
            }
        }
    }

    @Test
    void the_text_for_liblinear_is_as_its_manual_has_it() throws IOException {
        LinearModel model = new LinearModel(
                "logistic",
                List.of("-1", "+1"),
                new long[] {2, 4},
                new double[][] {{0.5, -1}},
                new double[] {0.25},
                Precision.F64,
                null,
                trained("0.5", "6"));
        assertEquals("""
            solver_type L1R_LR
            nr_class 2
            label 1 -1
            nr_feature 6
            bias 1
            w
            0\s
            0.5\s
            0\s
            -1.0\s
            0\s
            0\s
            0.25\s
            """, text(Export.LIBLINEAR, model));
    }

    private static Provenance trained(String l1, String largestId) {
        return new Provenance("", "", 1, 0, largestId, List.of(), Map.of("l1", l1), null, null);
    }

    @Test
    void the_kind_of_solver_is_that_of_the_loss_and_penalty() throws IOException {
        List<String> two = List.of("-1", "1");
        Map<String, List<String>> kinds = Map.of(
                "logistic", List.of("L2R_LR", "L1R_LR"),
                "squared-hinge", List.of("L2R_L2LOSS_SVC", "L1R_L2LOSS_SVC"),
                "hinge", List.of("L2R_L1LOSS_SVC_DUAL", "L2R_L1LOSS_SVC_DUAL"),
                "squared", List.of("L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR"),
                "huber:1.5", List.of("L2R_L2LOSS_SVR", "L2R_L2LOSS_SVR"),
                "quantile:0.9", List.of("L2R_L1LOSS_SVR_DUAL", "L2R_L1LOSS_SVR_DUAL"));
        for (var kind : kinds.entrySet()) {
            List<String> classes = Loss.named(kind.getKey()).binary() ? two : List.of();
            LinearModel model = random(kind.getKey(), classes, 0);
            for (int l1 = 0; l1 < 2; l1++) {
                String text = text(Export.LIBLINEAR, model.withProvenance(trained(l1 + ".0", "300")));
                Model other = Linear.loadModel(new StringReader(text));
                assertEquals(
                        "solver_type " + kind.getValue().get(l1),
                        text.lines().findFirst().orElseThrow());
                assertEquals(300, other.getNrFeature());
            }
        }
    }

    @Test
    void what_liblinear_cannot_hold_is_refused_with_a_way_out() {
        for (long id : new long[] {0, 1L << 31, -1}) {
            var error = assertThrows(
                    IllegalArgumentException.class,
                    () -> text(Export.LIBLINEAR, ModelDirectoryTest.model(new long[] {id}, 1)));
            assertTrue(error.getMessage().contains("export as json or csv"), error.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> text(Export.LIBLINEAR, random("poisson", List.of(), 0)));
    }

    @Test
    void json_has_one_line_for_each_weight() throws IOException {
        String json = text(Export.JSON, ModelDirectoryTest.model(new long[] {2, 5, -1}, 0.5, 0, -1));
        JsonNode tree = new ObjectMapper().readTree(json);
        assertEquals("logistic", tree.get("loss").asText());
        assertEquals(2, tree.get("weights").size());
        assertEquals("18446744073709551615", tree.at("/weights/1/id").asText());
        assertEquals(-1, tree.at("/weights/1/weights/0").asDouble());
        assertTrue(json.contains("\n{\"id\":\"18446744073709551615\",\"weights\":[-1.0]}"), json);
    }

    @Test
    void csv_has_names_classes_and_the_intercept() throws IOException {
        assertEquals("""
            id,name,class,weight
            ,(intercept),+1,0.25
            2,"age, ""years""\",+1,0.5
            18446744073709551615,,+1,-1.0
            """, text(Export.CSV, ModelDirectoryTest.model(new long[] {2, 5, -1}, 0.5, 0, -1)));
    }

    private static FactorModel machine() {
        LinearModel weights = ModelDirectoryTest.model(new long[] {2, 4, -1}, 0.5, 0, -1);
        return new FactorModel(weights, 2, new float[][] {{0, 0, 0.5f, -2, 1, 0}}, Span.ALL);
    }

    private static String text(Export export, FactorModel model) throws IOException {
        StringWriter out = new StringWriter();
        export.write(model, out, id -> id == 2 ? "age" : null);
        return out.toString();
    }

    @Test
    void csv_has_the_factors_of_those_that_have_them() throws IOException {
        assertEquals("""
            id,name,class,weight,factor1,factor2
            ,(intercept),+1,0.25,,
            2,age,+1,0.5,,
            4,,+1,0.0,0.5,-2.0
            18446744073709551615,,+1,-1.0,1.0,0.0
            """, text(Export.CSV, machine()));
    }

    @Test
    void json_has_them_beside_the_weights() throws IOException {
        JsonNode tree = new ObjectMapper().readTree(text(Export.JSON, machine()));
        assertEquals("[[]]", tree.at("/weights/0/factors").toString());
        assertEquals("[[0.5,-2.0]]", tree.at("/weights/1/factors").toString());
        assertEquals(0, tree.at("/weights/1/weights/0").asDouble());
    }

    @Test
    void the_text_for_libfm_is_as_libfm_writes_it() throws IOException {
        LinearModel weights = ModelDirectoryTest.model(new long[] {1, 3}, 0.5, -1);
        FactorModel machine = new FactorModel(weights, 2, new float[][] {{0, 0, 0.5f, -2}}, Span.ALL);
        assertEquals("""
            #global bias W0
            0.25
            #unary interactions Wj
            0.0
            0.5
            0.0
            -1.0
            #pairwise interactions Vj,f
            0.0 0.0
            0.0 0.0
            0.0 0.0
            0.5 -2.0
            """, text(Export.LIBFM, machine));
    }

    @Test
    void what_a_form_has_no_place_for_is_refused() {
        LinearModel linear = random("logistic", List.of("0", "1"), 0);
        LinearModel three = random("logistic", List.of("1", "2", "3"), 0);
        FactorModel many = new FactorModel(three, 1, new float[3][three.ids().length], Span.ALL);
        assertSays("libfm, json or csv", () -> text(Export.LIBLINEAR, machine()));
        assertSays("--hash-bits", () -> text(Export.LIBFM, machine()));
        assertSays("is linear", () -> text(Export.LIBFM, linear));
        assertSays("3 classes", () -> text(Export.LIBFM, many));
    }

    private static void assertSays(String words, Executable export) {
        String message = assertThrows(IllegalArgumentException.class, export).getMessage();
        assertTrue(message.contains(words), message);
    }

    @Test
    void a_refused_export_leaves_no_file() throws IOException {
        Path file = dir.resolve("m.liblinear");
        LinearModel model = ModelDirectoryTest.model(new long[] {-1}, 1);
        assertThrows(IllegalArgumentException.class, () -> Export.LIBLINEAR.write(model, file, id -> null));
        try (var files = Files.list(dir)) {
            assertEquals(0, files.count());
        }
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Export.of("onnx"))
                .getMessage()
                .contains("liblinear, json, csv, libfm"));
    }
}
