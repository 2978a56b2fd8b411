package tandem.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tandem.wire.Address;

/// Makes a plan that shows something wrong as small as it can be: faults are left out, half of them at a time and then
/// one by one, and those that matter are made shorter, as long as something is still wrong.
public final class FaultShrink {

    /// A fault is not made shorter than this.
    private static final long LEAST = 1_000_000;

    /// The most runs that are tried.
    private static final int MOST_RUNS = 400;

    private final Predicate<FaultPlan> isWrong;
    private int runs;

    private FaultShrink(Predicate<FaultPlan> isWrong) {
        this.isWrong = isWrong;
    }

    /// A plan with no more faults than this one, in which something is wrong as well.
    public static FaultPlan of(FaultPlan plan) {
        return of(plan, smaller -> FaultRun.of(smaller).violation() != null);
    }

    static FaultPlan of(FaultPlan plan, Predicate<FaultPlan> isWrong) {
        FaultShrink shrink = new FaultShrink(isWrong);
        return shrink.shortened(shrink.thinned(plan));
    }

    private boolean isStillWrong(FaultPlan plan) {
        return runs++ < MOST_RUNS && isWrong.test(plan);
    }

    private FaultPlan thinned(FaultPlan plan) {
        FaultPlan best = plan;
        for (int piece = plan.faults().size() / 2; piece > 0; piece = piece == 1 ? 0 : (piece + 1) / 2) {
            for (int from = 0; from < best.faults().size(); ) {
                List<Fault> rest = new ArrayList<>(best.faults());
                rest.subList(from, Math.min(rest.size(), from + piece)).clear();
                FaultPlan smaller = best.with(rest);
                if (isStillWrong(smaller)) {
                    best = smaller;
                } else {
                    from += piece;
                }
            }
        }
        return best;
    }

    private FaultPlan shortened(FaultPlan plan) {
        FaultPlan best = plan;
        for (int f = 0; f < plan.faults().size(); f++) {
            FaultPlan shorter = halved(best, f);
            while (shorter != null && isStillWrong(shorter)) {
                best = shorter;
                shorter = halved(best, f);
            }
        }
        return best;
    }

    /// The same with fault `f` half as long; null if it is short.
    private static FaultPlan halved(FaultPlan plan, int f) {
        List<Fault> faults = new ArrayList<>(plan.faults());
        long half = faults.get(f).forNanos() / 2;
        faults.set(f, faults.get(f).lasting(half));
        return half < LEAST ? null : plan.with(faults);
    }

    /// A plan as a method of a test, which fails as long as something is wrong.
    public static String test(FaultPlan plan) {
        String faults = plan.faults().stream().map(FaultShrink::made).collect(Collectors.joining(",\n            "));
        return """
            @Test
            void seed_%s_is_well() {
                FaultPlan plan = new FaultPlan(%dL, %d, %d, %d, %d, %s, %d, List.of(
                        %s));
                assertNull(FaultRun.of(plan).violation());
            }
            """.formatted(
                        Long.toString(plan.seed()).replace('-', '_'),
                        plan.seed(),
                        plan.servers(),
                        plan.workers(),
                        plan.seats(),
                        plan.copies(),
                        plan.encoded(),
                        plan.pushes(),
                        faults);
    }

    private static String made(Fault fault) {
        return "new Fault(Fault.Kind.%s, %dL, %dL, %s, %s)"
                .formatted(fault.kind(), fault.atNanos(), fault.forNanos(), made(fault.node()), made(fault.other()));
    }

    private static String made(Address node) {
        return node.equals(Address.COORDINATOR)
                ? "Address.COORDINATOR"
                : "Address.%s(%d)".formatted(node.role().name().toLowerCase(Locale.ROOT), node.number());
    }
}
