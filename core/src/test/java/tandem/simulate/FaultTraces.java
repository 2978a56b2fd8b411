package tandem.simulate;

import java.util.stream.LongStream;
import tandem.math.Hash;

/// A hash of all that happens in the runs of some seeds, for one JVM to compare with another.
final class FaultTraces {

    private FaultTraces() {}

    static long of(long seeds) {
        return LongStream.range(0, seeds)
                .map(seed -> FaultRun.of(FaultPlan.of(seed)).trace())
                .reduce(0, Hash::number);
    }

    /// Argument: how many seeds.
    public static void main(String[] args) {
        System.out.println(of(Long.parseLong(args[0])));
    }
}
