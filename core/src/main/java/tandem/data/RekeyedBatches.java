package tandem.data;

import java.io.IOException;
import java.util.function.LongUnaryOperator;

/// The same batches with other keys.
///
/// @param rule the key of each key; no two get the same
record RekeyedBatches(Batches batches, LongUnaryOperator rule) implements Batches {

    @Override
    public Pass pass(int number, long skip) throws IOException {
        Pass pass = batches.pass(number, skip);
        return into -> {
            boolean more = pass.next(into);
            if (more) {
                into.rekey(rule);
            }
            return more;
        };
    }

    @Override
    public Labels labels() {
        return batches.labels();
    }

    @Override
    public long rows() {
        return batches.rows();
    }

    @Override
    public long count() {
        return batches.count();
    }

    @Override
    public double progress() {
        return batches.progress();
    }

    @Override
    public Skipped skipped() {
        return batches.skipped();
    }

    @Override
    public void close() throws IOException {
        batches.close();
    }
}
