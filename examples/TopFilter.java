import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import tandem.Cluster;
import tandem.client.Slice;
import tandem.filter.Choice;
import tandem.filter.Moment;
import tandem.filter.Rows;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A filter of one's own: of every push only the largest tenth travels, and what waits is added to the next one.
void main() {
    int size = 10_000;
    TableSpec sums = TableSpec.dense("sums", size, 1).withFilters(List.of("top:0.1"), List.of());
    float[] expected = new float[size];
    float[] found = Cluster.embedded(1, 2, sums)
            .withFilters(filters -> filters.with("top", setting -> new Top(setting.number("0.1"))))
            .run(
                    worker -> {
                        var chance = new SplittableRandom(1);
                        for (int round = 0; round < 20; round++) {
                            float[] change = new float[size];
                            for (int i = 0; i < size; i++) {
                                change[i] = chance.nextInt(-9, 10);
                                expected[i] += change[i];
                            }
                            worker.push(new Slice(0, Keys.range(0, size), change));
                        }
                        var bytes = worker.session().filtered().get("top");
                        IO.println("pushed %,d bytes as %,d".formatted(bytes.before(), bytes.after()));
                        if (bytes.after() > bytes.before() / 5) {
                            throw new AssertionError(bytes);
                        }
                    },
                    session -> {
                        float[] all = new float[size];
                        session.read(new Slice(0, Keys.range(0, size), all));
                        return all;
                    });
    if (!Arrays.equals(expected, found)) {
        throw new AssertionError("something that waited was lost");
    }
}

/// Made once for every stream and table, so it may remember what waits.
static final class Top implements Choice {

    private final double share;
    private final Map<Long, Double> waiting = new TreeMap<>();

    Top(double share) {
        this.share = share;
    }

    @Override
    public void choose(Rows rows, Moment moment) {
        double[] sizes = new double[rows.count()];
        for (int row = 0; row < rows.count(); row++) {
            Double before = waiting.remove(rows.key(row));
            rows.set(row, 0, rows.at(row, 0) + (before == null ? 0 : before));
            sizes[row] = rows.magnitude(row);
        }
        Arrays.sort(sizes);
        double least = sizes[(int) ((1 - share) * (sizes.length - 1))];
        for (int row = 0; row < rows.count(); row++) {
            if (rows.magnitude(row) <= least) {
                waiting.put(rows.key(row), rows.at(row, 0));
                rows.leaveOut(row);
            }
        }
    }

    /// What is still waiting when a stream ends is sent whatever its size.
    @Override
    public Rows rest() {
        if (waiting.isEmpty()) {
            return null;
        }
        long[] keys = waiting.keySet().stream().mapToLong(Long::longValue).toArray();
        float[] values = new float[keys.length];
        for (int k = 0; k < keys.length; k++) {
            values[k] = waiting.get(keys[k]).floatValue();
        }
        waiting.clear();
        return new Rows(Keys.once(keys, keys.length), 1, Values.of(values));
    }
}
