package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.data.Room;

/// Batches that stay in memory are those that would be read.
class PortionReaderTest {

    private static final List<GradientLoop.Portion> PORTIONS = List.of(
            new GradientLoop.Portion(0, 3, 1),
            new GradientLoop.Portion(5, 6, 1),
            new GradientLoop.Portion(1, 10, 2),
            new GradientLoop.Portion(0, 10, 1));

    @TempDir
    Path directory;

    private Batches data() throws IOException {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 160; row++) {
            text.append(random.nextBoolean() ? "1" : "-1");
            for (int id = 1 + random.nextInt(9); id < 200; id += 1 + random.nextInt(90)) {
                text.append(' ').append(id).append(':').append(random.nextInt(1, 9));
            }
            text.append('\n');
        }
        Path file = Files.writeString(directory.resolve("d.svm"), text);
        return Data.of(file.toString()).withBatchRows(16).cache(directory.resolve("cache"), _ -> {}, 1);
    }

    /// The gradients of portions whose rows all have the slope 1, and which batches they are of.
    private static List<double[]> gradients(Batches data, Room room) throws IOException {
        PortionReader reader = new PortionReader(data, room);
        List<double[]> all = new ArrayList<>();
        for (GradientLoop.Portion portion : PORTIONS) {
            reader.meet(portion);
            SlotSums sums = new SlotSums();
            sums.grow(reader.keys().size());
            reader.begin(portion);
            List<Long> numbers = new ArrayList<>();
            for (PortionBatch batch; (batch = reader.next()) != null; ) {
                numbers.add(batch.number());
                double[] slopes = new double[batch.batch().rows()];
                Arrays.fill(slopes, 1);
                batch.addGradient(slopes, sums);
            }
            assertEquals(portion.batches().boxed().toList(), numbers);
            all.add(Arrays.copyOf(sums.addedTo(new double[0]), reader.keys().size()));
        }
        return all;
    }

    @Test
    void whether_batches_stay_in_memory_changes_nothing() throws IOException {
        try (Batches data = data()) {
            List<double[]> read = gradients(data, new Room(0));
            assertTrue(Arrays.stream(read.getLast()).sum() > 1000);
            for (Room room : List.of(new Room(3000), new Room(1 << 20))) {
                List<double[]> kept = gradients(data, room);
                for (int k = 0; k < read.size(); k++) {
                    assertArrayEquals(read.get(k), kept.get(k));
                }
            }
        }
    }

    @Test
    void what_stays_takes_room_until_it_is_forgotten() throws IOException {
        try (Batches data = data()) {
            Room room = new Room(1 << 20);
            PortionReader reader = new PortionReader(data, room);
            reader.meet(PORTIONS.getFirst());
            assertTrue(!room.take(1 << 20));
            reader.forget();
            assertTrue(room.take(1 << 20));
        }
    }
}
