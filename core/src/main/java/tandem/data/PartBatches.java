package tandem.data;

import java.io.IOException;
import java.nio.file.Path;

/// One part of data whose other parts are elsewhere. What it says of the data is of the whole.
final class PartBatches implements Batches {

    private final Batches here;
    private final int part;
    private final PartTerms terms;

    PartBatches(Batches here, int part, PartTerms terms) {
        this.here = here;
        this.part = part;
        this.terms = terms;
    }

    /// Of what is here.
    @Override
    public Pass pass(int number, long skip) throws IOException {
        return here.pass(number, skip);
    }

    @Override
    public Pass pass(int number, int stream, int streams) throws IOException {
        if (stream != part || streams != terms.parts()) {
            throw new IOException("the examples of stream " + stream + " of " + streams + " are not here; this is part "
                    + part + " of " + terms.parts());
        }
        return here.pass(number, 0);
    }

    /// Of all batches, those that are here; one at a time.
    @Override
    public Pass range(int number, long from, long to) throws IOException {
        if (to - from > 1 || from < to && from % terms.parts() != part) {
            throw new IOException("batches " + from + " until " + to + " are not here; this is part " + part + " of "
                    + terms.parts() + ", which has one of as many");
        }
        long first = from / terms.parts();
        return here.range(number, first, first + (to - from));
    }

    @Override
    public Aside aside(int count) throws IOException {
        return here.aside(count);
    }

    @Override
    public Path file() {
        return here.file();
    }

    @Override
    public Labels labels() {
        return terms.labels();
    }

    @Override
    public long rows() {
        return terms.rows();
    }

    @Override
    public long count() {
        return terms.count();
    }

    @Override
    public double progress() {
        return here.progress();
    }

    @Override
    public Skipped skipped() {
        return Skipped.NONE;
    }

    @Override
    public void close() throws IOException {
        here.close();
    }
}
