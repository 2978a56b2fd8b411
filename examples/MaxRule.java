import java.util.Arrays;
import tandem.Cluster;
import tandem.client.Slice;
import tandem.server.UpdateRule;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// The hottest day of each station: a table whose update rule is our own, and keeps the largest value and how many came.
/// Readings arrive at four workers in any order; nothing but the rule decides what stays.
record Largest() implements UpdateRule {

    /// An entry is the weight, here the maximum, and one number of our own, here the count.
    @Override
    public int columns() {
        return 2;
    }

    @Override
    public void begin(float[] entries, int at) {
        entries[at] = Float.NEGATIVE_INFINITY;
    }

    @Override
    public void update(float[] entries, int at, float value) {
        entries[at] = Math.max(entries[at], value);
        entries[at + 1]++;
    }
}

static final int STATIONS = 500;

static float reading(int station, int day) {
    return 15 + 20 * (float) Math.sin(station * 0.7 + day * 1.3);
}

void main() {
    float[] hottest = Cluster.embedded(4, 2, TableSpec.sparse("hottest", 1).withRule("largest"))
            .withRules(rules -> rules.with("largest", _ -> new Largest()))
            .run(
                    worker -> {
                        long[] stations = new long[STATIONS];
                        Arrays.setAll(stations, station -> station);
                        for (int day = worker.number(); day < 100; day += worker.workers()) {
                            float[] values = new float[STATIONS];
                            for (int station = 0; station < STATIONS; station++) {
                                values[station] = reading(station, day);
                            }
                            worker.push(new Slice(0, Keys.repeated(stations, STATIONS), values));
                        }
                    },
                    session -> {
                        float[] rows = new float[3];
                        session.read(new Slice(0, Keys.once(new long[] {0, 17, STATIONS - 1}, 3), rows));
                        return rows;
                    });
    IO.println("hottest days of stations 0, 17 and 499: " + Arrays.toString(hottest));
    for (int day = 0; day < 100; day++) {
        if (reading(17, day) > hottest[1]) {
            throw new AssertionError("day " + day + " was hotter than " + hottest[1]);
        }
    }
}
