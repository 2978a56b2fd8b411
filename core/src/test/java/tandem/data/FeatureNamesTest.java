package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.math.Mix;

class FeatureNamesTest {

    @TempDir
    Path directory;

    /// Every id that `data` gives, with its name.
    private static Map<Long, String> names(Data data) throws IOException {
        TreeSet<Long> ids = new TreeSet<>();
        try (Batches batches = data.stream()) {
            Batches.Pass pass = batches.pass(0, 0);
            Batch batch = new Batch();
            while (pass.next(batch)) {
                Arrays.stream(batch.keys(), 0, batch.keyCount()).map(Mix::unmix).forEach(ids::add);
            }
        }
        Map<Long, String> names =
                FeatureNames.ofCategories(data, ids.stream().mapToLong(id -> id).toArray());
        assertTrue(names.keySet().containsAll(ids), "ids without a name");
        return names;
    }

    @Test
    void every_id_of_a_table_gets_the_name_it_was_made_from() throws IOException {
        Path file = directory.resolve("a.csv");
        Files.writeString(file, "region,age,click\nnorth,30,1\n\"so,uth\",40,0\n,50,1\nnorth,60,0\n");
        Data data = Data.of(file.toString()).withFormat(Format.table(Declared.parse("click=label")));
        for (int bits : new int[] {64, 20}) {
            Map<Long, String> names = names(data.withHashBits(bits).known());
            assertEquals(
                    new TreeSet<>(Arrays.asList("age", "region=north", "region=so,uth")),
                    new TreeSet<>(names.values()));
        }
    }

    @Test
    void every_id_of_a_click_log_gets_the_name_it_was_made_from() throws IOException {
        Path file = directory.resolve("a.tsv");
        String counts = "\t3".repeat(13);
        Files.writeString(file, "1" + counts + "\ta5".repeat(26) + "\n0" + counts + "\tb6".repeat(26) + "\n");
        Map<Long, String> names =
                names(Data.of(file.toString()).withFormat(new Format.Criteo(0)).known());
        assertEquals(13 + 2 * 26, names.size());
        assertTrue(names.containsValue("I13") && names.containsValue("C26=b6"), names.toString());
    }

    @Test
    void only_what_is_wanted_is_kept() throws IOException {
        Path file = directory.resolve("a.csv");
        Files.writeString(file, "region,click\nnorth,1\nsouth,0\n");
        Data data = Data.of(file.toString())
                .withFormat(Format.table(Declared.parse("click=label")))
                .known();
        assertEquals(Map.of(), FeatureNames.ofCategories(data, new long[] {17}));
    }
}
