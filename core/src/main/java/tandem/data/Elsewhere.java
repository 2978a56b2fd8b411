package tandem.data;

import java.io.IOException;

/// Data as someone knows it who has none of it: how much there is, its labels, and a batch to see what rows look like.
public final class Elsewhere implements Batches {

    private final PartTerms terms;
    private final byte[] first;

    /// @param first a block of rows
    public Elsewhere(PartTerms terms, byte[] first) {
        this.terms = terms;
        this.first = first;
    }

    public PartTerms terms() {
        return terms;
    }

    /// The one batch that is here.
    @Override
    public Pass pass(int number, long skip) throws IOException {
        boolean[] over = {false};
        return into -> {
            synchronized (over) {
                if (over[0]) {
                    return false;
                }
                over[0] = true;
                PartFile.sample(first, terms, into);
                return true;
            }
        };
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
        return Double.NaN;
    }

    @Override
    public Skipped skipped() {
        return Skipped.NONE;
    }

    @Override
    public void close() {}
}
