package tandem.filter;

import java.util.BitSet;

/// Zeros travel as gaps, by the bit or by the run; everything else is left to the next filter. Loses nothing: −0 is no
/// zero.
public record Runs() implements Numbers {

    @Override
    public Entries pack(Entries entries, Output out, long chance) {
        BitSet zeros = new BitSet();
        for (int i = 0; i < entries.count(); i++) {
            if (entries.isZero(i)) {
                zeros.set(i);
            }
        }
        Gaps.write(zeros, entries.count(), out);
        return entries.without(zeros, 1);
    }

    @Override
    public void unpack(Input in, Entries entries, Rest rest) {
        BitSet zeros = Gaps.read(entries.count(), in);
        entries.spread(rest.read(entries.count() - zeros.cardinality()), zeros, 1);
    }

    @Override
    public boolean isLast() {
        return false;
    }
}
