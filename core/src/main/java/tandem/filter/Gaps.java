package tandem.filter;

import java.util.BitSet;
import tandem.wire.ProtocolError;

/// Which of some places are empty, as bytes: a bit for each, or the lengths of runs if that is shorter.
final class Gaps {

    private static final int NONE = 0;
    private static final int BITS = 1;
    private static final int RUNS = 2;

    private Gaps() {}

    /// @param gaps none if null
    static void write(BitSet gaps, int count, Output out) {
        if (gaps == null || gaps.isEmpty()) {
            out.int8(NONE);
            return;
        }
        Output runs = new Output(count / 16);
        int bits = Math.ceilDiv(count, 8);
        int at = 0;
        for (boolean empty = false; at < count && runs.size() < bits; empty = !empty) {
            int end = empty ? gaps.nextClearBit(at) : gaps.nextSetBit(at);
            end = end < 0 ? count : Math.min(end, count);
            runs.varint(end - at);
            at = end;
        }
        if (runs.size() < bits) {
            out.int8(RUNS);
            out.bytes(runs.toBytes());
        } else {
            out.int8(BITS);
            byte[] set = gaps.toByteArray();
            out.bytes(set);
            out.bytes(new byte[bits - set.length]);
        }
    }

    static BitSet read(int count, Input in) {
        int form = in.int8();
        return switch (form) {
            case NONE -> new BitSet();
            case BITS -> bits(count, in);
            case RUNS -> runs(count, in);
            default -> throw new ProtocolError("packed values have gaps of form " + form + ", which is not known here");
        };
    }

    private static BitSet bits(int count, Input in) {
        BitSet gaps = BitSet.valueOf(in.bytes(Math.ceilDiv(count, 8)));
        if (gaps.length() > count) {
            throw new ProtocolError("packed values have a gap at " + (gaps.length() - 1) + " of " + count);
        }
        return gaps;
    }

    private static BitSet runs(int count, Input in) {
        BitSet gaps = new BitSet();
        int at = 0;
        for (boolean empty = false; at < count; empty = !empty) {
            int end = at + in.varint(count - at, "places in a run");
            if (empty) {
                gaps.set(at, end);
            }
            at = end;
        }
        return gaps;
    }
}
