package tandem.filter;

import java.util.BitSet;
import java.util.List;
import tandem.wire.ProtocolError;

/// Reads packed values once, from the outside in: what a filter wrote comes before what it left to the next.
///
/// @param numbers the filters that wrote, in their order
record Unpacking(Input in, List<Stack.Step> numbers, boolean doubles) {

    /// @param choice what left rows out; null if nothing did
    Stack.Unpacked unpack(int rows, int most, Stack.Step choice) {
        int count = in.varint(most, "numbers");
        BitSet leftOut = new BitSet();
        Entries entries;
        if (choice == null) {
            entries = read(0, count);
        } else {
            if (rows > 0 && count % rows != 0) {
                throw new ProtocolError("packed values have " + count + " numbers for " + rows + " rows");
            }
            int width = rows == 0 ? 1 : count / rows;
            int before = in.remaining();
            leftOut = Gaps.read(rows, in);
            int said = before - in.remaining();
            Entries kept = read(0, count - leftOut.cardinality() * width);
            entries = Entries.zeros(doubles, count);
            entries.spread(kept, leftOut, width);
            choice.count().add(entries.bytes(), kept.bytes() + said);
        }
        in.end();
        return new Stack.Unpacked(entries.values(), leftOut);
    }

    /// `count` numbers, as filter `step` was given them.
    private Entries read(int step, int count) {
        if (step == numbers.size()) {
            in.need((long) count * (doubles ? Double.BYTES : Float.BYTES));
            Entries entries = Entries.zeros(doubles, count);
            entries.read(in);
            return entries;
        }
        Entries entries = Entries.zeros(doubles, count);
        Inner inner = new Inner(step + 1);
        int before = in.remaining();
        ((Numbers) numbers.get(step).filter()).unpack(in, entries, inner);
        long own = before - in.remaining() - inner.packed;
        numbers.get(step).count().add(entries.bytes(), own + inner.plain);
        return entries;
    }

    /// What a filter left to those after it, and how many bytes that was, packed and not.
    private final class Inner implements Numbers.Rest {

        private final int step;
        private long packed;
        private long plain;

        Inner(int step) {
            this.step = step;
        }

        @Override
        public Entries read(int count) {
            int before = in.remaining();
            Entries entries = Unpacking.this.read(step, count);
            packed += before - in.remaining();
            plain += entries.bytes();
            return entries;
        }
    }
}
