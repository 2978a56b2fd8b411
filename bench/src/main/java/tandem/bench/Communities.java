package tandem.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// Rows of communities, each with features of its own: what placement can make something of.
///
/// @param count    of communities
/// @param features of each
record Communities(long rows, int count, int features, long seed) {

    private static final int ENTRIES = 20;
    private static final double SIGNAL = 0.8;

    /// One feature in so many is of any community.
    private static final int STRAY = 10;

    Path write(Path file) throws IOException {
        Random chance = new Random(seed);
        double[] weights =
                chance.doubles((long) count * features, -SIGNAL, SIGNAL).toArray();
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (long row = 0; row < rows; row++) {
                int home = chance.nextInt(count);
                int[] ids = chance.ints(ENTRIES, 0, features)
                        .map(key -> chance.nextInt(STRAY) == 0 ? chance.nextInt(weights.length) : features * home + key)
                        .distinct()
                        .sorted()
                        .toArray();
                double score = 0;
                for (int id : ids) {
                    score += weights[id];
                }
                StringBuilder line = new StringBuilder(chance.nextDouble() < 1 / (1 + Math.exp(-score)) ? "1" : "0");
                for (int id : ids) {
                    line.append(' ').append(id + 1).append(":1");
                }
                out.write(line.append('\n').toString());
            }
        }
        return file;
    }
}
