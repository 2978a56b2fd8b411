import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Gatherers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.Cluster;
import tandem.client.Slice;
import tandem.server.UpdateRule;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Reconstruction ICA (Le et al. 2011) finds the four voices in four recordings that mix them: filters W such that W·x is
/// sparse and Wᵀ·W·x near x, where Σ ½‖WᵀWx − x‖² + ⅓ Σ √((Wx)² + 0.01) is stationary, which is not convex. A block is
/// one filter. Workers push the gradient of their examples by it, and may be eight blocks behind. Servers take steps
/// down, which get shorter in time: what workers push late never adds up to 0.
record Down(double step) implements UpdateRule {

    /// The weight, and how many gradients it has seen.
    @Override
    public int columns() {
        return 2;
    }

    @Override
    public void update(float[] entries, int at, float gradient) {
        throw new IllegalArgumentException("filters are doubles");
    }

    @Override
    public void update(double[] entries, int at, double gradient) {
        entries[at] -= step * Math.pow(0.5, Math.max(0, entries[at + 1]++ - 1500) / 600) * gradient;
    }
}

void main() {
    int workers = 4, rows = 250, blocks = 8000;
    double[] start = new SplittableRandom(7).doubles(16, -1, 1).toArray(); // 0 is stationary, so the table has what is learned beyond this
    TableSpec table = TableSpec.dense("filters", 4, 4).withDoubles().withRule("down", 0.25 / (workers * rows));
    double[] filters = Cluster.embedded(workers, 2, table)
            .withRules(rules -> rules.with("down", settings -> new Down(settings[0])))
            .withConsistency("bounded:8")
            .run(worker -> {
                double[][] examples = examples(worker.number(), rows);
                for (int block = 0; block < blocks; block++) {
                    double[] w = new double[16];
                    worker.await(worker.pull(new Slice(0, Keys.range(0, 4), w)));
                    worker.push(new Slice(0, Keys.range(block % 4, 1), gradient(examples, sum(start, w), block % 4)));
                }
            }, session -> {
                double[] w = new double[16];
                session.read(new Slice(0, Keys.range(0, 4), w));
                return sum(start, w);
            });
    double[][] all = IntStream.range(0, workers).boxed().flatMap(w -> Stream.of(examples(w, rows))).toArray(double[][]::new);
    double steepest = 0, clearest = 1;
    for (int k = 0; k < 4; k++) {
        double[] gradient = gradient(all, filters, k);
        steepest = Math.max(steepest, Math.sqrt(dot(gradient, 0, gradient)) / all.length);
        double[] hears = mixed(Arrays.copyOfRange(filters, 4 * k, 4 * k + 4));
        double loudest = Arrays.stream(hears).map(Math::abs).max().orElseThrow();
        clearest = Math.min(clearest, loudest / Math.sqrt(dot(hears, 0, hears)));
    }
    IO.println("gradient %.1e; a filter hears one voice to %.1f %% at least".formatted(steepest, 100 * clearest));
    if (!(steepest < 1e-4 && clearest > 0.99)) {
        throw new AssertionError(steepest + " " + clearest);
    }
}

/// The gradient of all examples by filter `k`.
double[] gradient(double[][] examples, double[] w, int k) {
    double[] sum = new double[4];
    for (double[] x : examples) {
        double[] left = x.clone();
        for (int i = 0; i < 16; i++) {
            left[i % 4] -= w[i] * dot(w, i - i % 4, x);
        }
        double z = dot(w, 4 * k, x);
        double along = z / Math.sqrt(z * z + 0.01) / 3 - dot(w, 4 * k, left);
        for (int c = 0; c < 4; c++) {
            sum[c] += along * x[c] - z * left[c];
        }
    }
    return sum;
}

/// What a worker has recorded of voices that are nearly silent most of the time (Laplace), of variance 1.
double[][] examples(int worker, int rows) {
    return new SplittableRandom(worker).doubles(4L * rows, -1, 1).map(u -> Math.signum(u) * Math.log(1 - Math.abs(u)) / Math.sqrt(2))
            .boxed().gather(Gatherers.windowFixed(4)).map(v -> mixed(v.stream().mapToDouble(d -> d).toArray())).toArray(double[][]::new);
}

/// Is its own inverse, so it also says what a filter hears of each voice.
double[] mixed(double[] v) {
    double a = v[0] + v[1], b = v[0] - v[1], c = v[2] + v[3], d = v[2] - v[3];
    return new double[] {(a + c) / 2, (b + d) / 2, (a - c) / 2, (b - d) / 2};
}

double dot(double[] a, int from, double[] b) {
    return a[from] * b[0] + a[from + 1] * b[1] + a[from + 2] * b[2] + a[from + 3] * b[3];
}

double[] sum(double[] a, double[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> a[i] + b[i]).toArray();
}
