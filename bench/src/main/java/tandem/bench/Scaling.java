package tandem.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tandem.data.Clicks;

/// Does time grow in proportion to rows while memory stays put? Trains from text of 1, 2, 4 and 8 times
/// the rows in a heap of a tenth of the largest file, which never holds the data.
record Scaling(Settings settings, Workspace work, Notes notes) implements Part {

    private static final String NAME = "time against rows, small heap";
    private static final int[] TIMES = {1, 2, 4, 8};
    private static final long LEAST_HEAP = 48L << 20;

    @Override
    public Findings run() throws Exception {
        long base = Math.max(50, settings.rows / 2);
        // Fewer features than elsewhere: the weights must fit in the small heap.
        Clicks clicks = new Clicks(
                settings.seed,
                base,
                0,
                Math.min(settings.features, 1_000_000),
                Clicks.DEFAULT.clickRate(),
                Clicks.DEFAULT.interactions());
        List<Path> files = new ArrayList<>();
        for (int times : TIMES) {
            files.add(work.clicks("scaling-" + times + ".svm", clicks.withRows(base * times), notes));
        }
        long largest = Files.size(files.getLast());
        long heap = Math.max(LEAST_HEAP, largest / 10);
        List<Row> rows = new ArrayList<>();
        double[] seconds = new double[TIMES.length];
        for (int i = 0; i < TIMES.length; i++) {
            Path file = files.get(i);
            Contest contest = new Contest(
                    NAME, base * TIMES[i], Files.size(file), Math.min(3, settings.rounds), settings.budget / 4);
            String system = "tandem, %,d rows, heap %d MB".formatted(base * TIMES[i], heap >> 20);
            rows.addAll(contest.run(
                    Map.of(system, () -> TrainDriver.run(work, file, 2, List.of("-Xmx" + heap))), notes));
            seconds[i] = rows.getLast().wallSeconds();
        }
        Line line = Line.fit(TIMES, seconds);
        return new Findings(
                rows,
                List.of(
                        Ratio.plain(NAME, "largest file against the heap", (double) largest / heap),
                        Ratio.plain(NAME, "seconds for each %,d rows more".formatted(base), line.slope()),
                        Ratio.plain(NAME, "seconds before the first row", line.offset()),
                        Ratio.atMost(0.1, NAME, "largest distance from a straight line, relative", line.distance())));
    }

    /// The straight line nearest to the points, and how far the farthest point is from it, relatively.
    record Line(double offset, double slope, double distance) {

        static Line fit(int[] x, double[] y) {
            double meanX = 0;
            double meanY = 0;
            for (int i = 0; i < x.length; i++) {
                meanX += (double) x[i] / x.length;
                meanY += y[i] / x.length;
            }
            double covariance = 0;
            double variance = 0;
            for (int i = 0; i < x.length; i++) {
                covariance += (x[i] - meanX) * (y[i] - meanY);
                variance += (x[i] - meanX) * (x[i] - meanX);
            }
            double slope = covariance / variance;
            double offset = meanY - slope * meanX;
            double distance = 0;
            for (int i = 0; i < x.length; i++) {
                distance = Math.max(distance, Math.abs(y[i] / (offset + slope * x[i]) - 1));
            }
            return new Line(offset, slope, distance);
        }
    }
}
