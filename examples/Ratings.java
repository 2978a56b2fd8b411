import java.util.SplittableRandom;
import tandem.Cluster;
import tandem.client.SharedRows;
import tandem.wire.TableSpec;

/// Factors a matrix of ratings: each worker has some users and learns their factors, and shares those of the items.
void main() {
    int workers = 4, users = 200, items = 50, rank = 2, clocks = 200;
    double[][] ratings = made(users, items, rank);
    double[] errors = new double[workers];

    TableSpec table = TableSpec.dense("items", items, rank).withDoubles();
    Cluster.embedded(workers, 2, table).withConsistency("essp:2").run(worker -> {
        SharedRows rows = worker.rows();
        SplittableRandom chance = new SplittableRandom(worker.number());
        double[][] mine = new double[users / workers][];
        for (int u = 0; u < mine.length; u++) {
            mine[u] = chance.doubles(rank, 0.1, 1).toArray();
        }
        for (int item = worker.number(); item < items; item += workers) {
            rows.inc(0, item, chance.doubles(rank, 0.1, 1).toArray());
        }
        rows.clock();
        for (int clock = 0; clock < clocks; clock++) {
            errors[worker.number()] = 0;
            for (int item = 0; item < items; item++) {
                double[] factor = rows.get(0, item);
                double[] step = new double[rank];
                for (int u = 0; u < mine.length; u++) {
                    double error = ratings[worker.number() * mine.length + u][item] - dot(mine[u], factor);
                    errors[worker.number()] += error * error;
                    for (int f = 0; f < rank; f++) {
                        step[f] += 0.002 * error * mine[u][f];
                        mine[u][f] += 0.02 * error * factor[f];
                    }
                }
                rows.inc(0, item, step);
            }
            rows.clock();
        }
    });

    double rmse = Math.sqrt(java.util.Arrays.stream(errors).sum() / (users * items));
    IO.println("ratings are off by %.3f (root of the mean square)".formatted(rmse));
    if (!(rmse < 0.05)) {
        throw new AssertionError(rmse);
    }
}

/// Ratings that two factors explain.
double[][] made(int users, int items, int rank) {
    SplittableRandom chance = new SplittableRandom(7);
    double[][] u = new double[users][], v = new double[items][], r = new double[users][items];
    for (int i = 0; i < users; i++) u[i] = chance.doubles(rank, 0, 1.5).toArray();
    for (int j = 0; j < items; j++) v[j] = chance.doubles(rank, 0, 1.5).toArray();
    for (int i = 0; i < users; i++) for (int j = 0; j < items; j++) r[i][j] = dot(u[i], v[j]);
    return r;
}

double dot(double[] a, double[] b) {
    double sum = 0;
    for (int f = 0; f < a.length; f++) sum += a[f] * b[f];
    return sum;
}
