package tandem.data;

import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whatever the bytes, reading ends, and what comes out of it is rows, an [IOException] or a [NamedLabel].
class FuzzTest {

    private static final int ROUNDS = 400;

    private static final String LIBSVM =
            "1 1:0.5 17:1 23334:1\n-1:2.5 qid:3 2:1e-3 9999999999:1 # note\nspam 3:-7.25\r\n";
    private static final String TABLE =
            "id,click,age,city\n1,1,20,Rome\n2,0,40,\"Oslo, \"\"N\"\"\"\n3,1,,\n4,0,1e3,Rome\n";
    private static final String CRITEO = ("1" + "\t5".repeat(13) + "\t68fd1e64".repeat(26) + "\n").repeat(3);

    @TempDir
    Path directory;

    @Test
    void text_of_any_format_survives_mutation() throws IOException {
        List<String> texts = List.of(LIBSVM, TABLE, CRITEO);
        for (int seed = 0; seed < ROUNDS; seed++) {
            for (String text : texts) {
                SplittableRandom random = new SplittableRandom(seed);
                Path file = directory.resolve("fuzz");
                Files.write(file, mutate(text.getBytes(StandardCharsets.UTF_8), random));
                Data data = Data.of(file.toString())
                        .withBadLines(seed % 2 == 0 ? new BadLines.Fail() : new BadLines.Skip(1000));
                read(data, seed);
                read(data.withFormat(new Format.LibSvm()).withLabelRule(new LabelRule.Ignore()), seed);
                read(data.withFormat(new Format.Criteo(1)), seed);
                read(data.withFormat(Format.table(Declared.NONE)), seed);
            }
        }
    }

    @Test
    void a_cache_survives_mutation() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", Examples.rows(300, 1))
                        .toString())
                .known();
        Path path = directory.resolve("cache");
        new CacheBuilder(data.withBatchRows(50), Sources.find(data.paths()), at -> {}, 1).build(path);
        byte[] whole = Files.readAllBytes(path);
        for (int seed = 0; seed < ROUNDS; seed++) {
            Files.write(path, mutate(whole.clone(), new SplittableRandom(seed)));
            try (Batches batches = new CachedBatches(path, CacheFile.open(path), Examples::unrepaired)) {
                Examples.all(batches, 0);
            } catch (IOException expected) {
                // What damage is found by, at opening or at a batch.
            } catch (RuntimeException | Error e) {
                fail("seed " + seed, e);
            }
        }
    }

    private static void read(Data data, int seed) {
        try (Batches batches = data.stream()) {
            Batch batch = new Batch();
            Batches.Pass pass = batches.pass(0, 0);
            while (pass.next(batch)) {}
            batches.labels();
        } catch (IOException | NamedLabel expected) {
            // A message about the data; a name as label is one that the front door answers with the cache.
        } catch (RuntimeException | Error e) {
            fail("seed " + seed + ", " + data.format(), e);
        }
    }

    private static byte[] mutate(byte[] from, SplittableRandom random) {
        byte[] bytes = from;
        for (int n = 1 + random.nextInt(4); n > 0 && bytes.length > 2; n--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) ":\n\t,\"#-.e0 \0\r9".charAt(random.nextInt(14));
                case 2 -> bytes = Arrays.copyOf(bytes, at + 1);
                case 3 -> bytes = splice(bytes, at, bytes, random.nextInt(bytes.length));
                default -> bytes = splice(bytes, at, new byte[] {(byte) random.nextInt(256)}, 0);
            }
        }
        return bytes;
    }

    /// The first `at` bytes, then `more` from `from` on (at most 40 of it), then the rest.
    private static byte[] splice(byte[] bytes, int at, byte[] more, int from) {
        int length = Math.min(40, more.length - from);
        byte[] spliced = Arrays.copyOf(bytes, bytes.length + length);
        System.arraycopy(more, from, spliced, at, length);
        System.arraycopy(bytes, at, spliced, at + length, bytes.length - at);
        return spliced;
    }
}
