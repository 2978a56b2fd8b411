import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import tandem.Cluster;
import tandem.Vectors;
import tandem.Worker;
import tandem.client.Slice;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Solves A·x = b by conjugate gradients (Hestenes and Stiefel 1952), where A has 2.1 on its diagonal and −1 beside it.
/// The vectors stay on servers: workers multiply A by the direction, each for its own rows, and one of them says what
/// is done with all vectors, of which it sees nothing but inner products.
static final int SIZE = 50_000;

/// The vectors: the solution, what is left of b, the direction, and A times that.
static final int X = 0, R = 1, P = 2, Q = 3, COUNT = 4;

void main() {
    TableSpec table = TableSpec.dense("vectors", SIZE, COUNT).withDoubles();
    double furthest = Cluster.embedded(3, 2, table).run(this::solve, session -> {
        double[] rows = new double[COUNT * SIZE];
        session.read(new Slice(0, Keys.range(0, SIZE), rows));
        double most = 0;
        for (int i = 0; i < SIZE; i++) {
            most = Math.max(most, Math.abs(rows[COUNT * i + X] - 1));
        }
        return most;
    });
    IO.println("furthest off by %.1e".formatted(furthest));
    if (!(furthest < 1e-9)) {
        throw new AssertionError(furthest);
    }
}

void solve(Worker worker) {
    Vectors vectors = worker.vectors(0);
    int from = SIZE * worker.number() / worker.workers(), to = SIZE * (worker.number() + 1) / worker.workers();
    // b is such that every number of x is 1; the first direction is what is left.
    push(worker, from, to, i -> 2.1 - (i > 0 ? 1 : 0) - (i < SIZE - 1 ? 1 : 0), R, P);
    together(worker, 0);
    double left = together(worker, worker.number() == 0 ? vectors.dot(R, R) : 0);
    while (left > 1e-24) {
        int first = Math.max(0, from - 1), last = Math.min(SIZE, to + 1);
        double[] rows = new double[COUNT * (last - first)];
        worker.await(worker.pull(new Slice(0, Keys.range(first, last - first), rows)));
        double[] p = new double[to - from + 2];
        for (int i = first; i < last; i++) {
            p[i - from + 1] = rows[COUNT * (i - first) + P];
        }
        push(worker, from, to, i -> 2.1 * p[i - from + 1] - p[i - from] - p[i - from + 2], Q);
        together(worker, 0);
        double next = 0;
        if (worker.number() == 0) {
            double step = left / vectors.dot(P, Q);
            vectors.add(step, P, X);
            vectors.add(-step, Q, R);
            next = vectors.dot(R, R);
            vectors.scale(P, next / left);
            vectors.add(1, R, P);
            vectors.fill(Q, 0);
        }
        left = together(worker, next);
    }
}

/// Adds numbers to some of the vectors.
void push(Worker worker, int from, int to, IntToDoubleFunction value, int... into) {
    double[] rows = new double[COUNT * (to - from)];
    for (int i = from; i < to; i++) {
        int row = COUNT * (i - from);
        double here = value.applyAsDouble(i);
        Arrays.stream(into).forEach(vector -> rows[row + vector] = here);
    }
    worker.await(worker.push(new Slice(0, Keys.range(from, to - from), rows)));
}

/// What all workers say, added up: none goes on before all have come so far.
double together(Worker worker, double value) {
    double[] sum = {value};
    worker.await(worker.sum(sum));
    return sum[0];
}
