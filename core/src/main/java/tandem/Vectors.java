package tandem;

import tandem.client.Call;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.server.ServerFunction;
import tandem.server.VectorFunctions;
import tandem.wire.Figures;

/// The arithmetic of a solver whose vectors never leave the servers. Entry number `i` of all rows of a
/// table is vector `i`, so that a table of width n holds n of the same length. What is asked for comes
/// back as numbers, and what is changed is changed once, whatever is lost on the way, after all that this
/// worker has asked for before. Workers that push to the same vectors have to be waited for.
///
/// Each change is an update of the worker's stream, and belongs to the clock that it is in. Belongs to the
/// worker's thread.
public final class Vectors {

    private final Worker worker;
    private final int table;

    Vectors(Worker worker, int table) {
        this.worker = worker;
        this.table = table;
    }

    /// The inner product of two vectors.
    public double dot(int a, int b) {
        return ask("dot", VectorFunctions.DOT, Figures.ofWhole(a, b)).real(0);
    }

    /// How many numbers of a vector are not 0.
    public long nonZeros(int a) {
        return ask("nonzeros", VectorFunctions.NONZEROS, Figures.ofWhole(a)).whole(0);
    }

    /// Makes vector `b` the same as vector `a`.
    public void copy(int a, int b) {
        change("copy", Figures.ofWhole(a, b));
    }

    /// Sets every number of a vector.
    public void fill(int a, double value) {
        change("fill", new Figures(new long[] {a}, new double[] {value}));
    }

    /// Multiplies a vector.
    public void scale(int a, double by) {
        change("scale", new Figures(new long[] {a}, new double[] {by}));
    }

    /// Adds `by` times vector `a` to vector `b`.
    public void add(double by, int a, int b) {
        change("axpy", new Figures(new long[] {a, b}, new double[] {by}));
    }

    private Figures ask(String name, ServerFunction function, Figures with) {
        return worker.session().compute(new Call(table, name, with), function::merge);
    }

    private void change(String name, Figures with) {
        Session session = worker.session();
        Ticket changed = session.change(worker.number(), worker.clock(), new Call(table, name, with));
        worker.await(changed);
    }
}
