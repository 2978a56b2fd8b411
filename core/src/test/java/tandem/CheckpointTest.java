package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.solver.Ending;

class CheckpointTest {

    private static final Checkpoint SOME = new Checkpoint(
            "data [f] {loss=logistic}",
            List.of(
                    new Finished(
                            new Weights(new long[] {1, 7, -3}, new double[] {0.5, -2, 1e-9}, 0.25),
                            new Finished.Proof(12.5, 1e-6, Double.NaN, Ending.STALLED)),
                    new Finished(new Weights(new long[0], new double[0], 0), null)),
            new Checkpoint.Progress(
                    2,
                    17,
                    new Checkpoint.State(new long[] {9, 8}, new float[] {1, 2, 3, 4, 5, 6}, 11),
                    null,
                    0.75,
                    null,
                    1));

    @TempDir
    Path directory;

    @Test
    void what_was_written_is_read_back() throws IOException {
        Path file = directory.resolve("new").resolve("checkpoint");
        SOME.write(file);
        Checkpoint read = Checkpoint.read(file);
        assertEquals(SOME.settings(), read.settings());
        assertEquals(2, read.finished().size());
        Finished first = read.finished().getFirst();
        assertArrayEquals(new long[] {1, 7, -3}, first.weights().ids());
        assertArrayEquals(new double[] {0.5, -2, 1e-9}, first.weights().values());
        assertEquals(SOME.finished().getFirst().proof(), first.proof());
        assertNull(read.finished().getLast().proof());
        assertEquals(17, read.progress().batches());
        assertArrayEquals(
                new float[] {1, 2, 3, 4, 5, 6}, read.progress().table().entries());
        assertEquals(11, read.progress().table().pushes());
        assertNull(read.progress().intercept());
        assertNull(read.progress().best());
        assertEquals(0.75, read.progress().bestLoss());
        try (var files = Files.list(file.getParent())) {
            assertEquals(1, files.count(), "something was left beside the checkpoint");
        }
    }

    @Test
    void every_damage_is_found() throws IOException {
        Path file = directory.resolve("checkpoint");
        SOME.write(file);
        byte[] whole = Files.readAllBytes(file);
        Random random = new Random(3);
        for (int round = 0; round < 2_000; round++) {
            byte[] damaged = whole.clone();
            if (round < whole.length) {
                damaged = java.util.Arrays.copyOf(whole, round);
            } else {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            Files.write(file, damaged);
            assertThrows(IOException.class, () -> Checkpoint.read(file), "round " + round);
        }
    }
}
