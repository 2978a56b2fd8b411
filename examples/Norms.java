import tandem.Cluster;
import tandem.client.Call;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.server.ServerFunction;
import tandem.server.TableRows;
import tandem.server.VectorFunctions;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// Functions that run where the rows are: the sum, the least and the largest of a million numbers come back as three,
/// and scaling them all sends one. The vector itself never leaves the servers.
record Extent() implements ServerFunction {

    @Override
    public Figures over(TableRows rows, Figures nothing) {
        double[] seen = {0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY};
        rows.forEach(row -> {
            seen[0] += row.weight(0);
            seen[1] = Math.min(seen[1], row.weight(0));
            seen[2] = Math.max(seen[2], row.weight(0));
        });
        return Figures.of(seen);
    }

    /// Puts the results of two shards together, at the caller.
    @Override
    public Figures merge(Figures one, Figures other) {
        return Figures.of(
                one.real(0) + other.real(0),
                Math.min(one.real(1), other.real(1)),
                Math.max(one.real(2), other.real(2)));
    }
}

static final int COUNT = 1_000_000;

static Figures extent(Session session) {
    return session.compute(new Call(0, "extent", Figures.NONE), new Extent()::merge);
}

void main() {
    TableSpec vector = TableSpec.dense("vector", COUNT, 1).withDoubles();
    Figures[] found = Cluster.embedded(1, 2, vector)
            .withRules(rules -> rules.withFunction("extent", new Extent()))
            .run(
                    worker -> {
                        double[] values = new double[COUNT];
                        for (int i = 0; i < COUNT; i++) {
                            values[i] = i;
                        }
                        worker.push(new Slice(0, Keys.range(0, COUNT), values));
                        // Halves all numbers, once however often the message arrives.
                        Call halve = new Call(0, "scale", new Figures(new long[] {0}, new double[] {0.5}));
                        worker.await(worker.session().change(worker.number(), worker.clock() + 1, halve));
                    },
                    session -> new Figures[] {
                        extent(session),
                        session.compute(new Call(0, "top", Figures.ofWhole(0, 2)), VectorFunctions.TOP::merge)
                    });
    IO.println("sum %.0f, least %.1f, largest %.1f, at row %d"
            .formatted(found[0].real(0), found[0].real(1), found[0].real(2), found[1].whole(1)));
    if (found[0].real(0) != 0.25 * COUNT * (COUNT - 1.0) || found[1].whole(1) != COUNT - 1) {
        throw new AssertionError("sum " + found[0].real(0) + ", largest at " + found[1].whole(1));
    }
}
