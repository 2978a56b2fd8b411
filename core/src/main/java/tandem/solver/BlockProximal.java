package tandem.solver;

import tandem.problem.Separable;
import tandem.server.SettlingRule;
import tandem.wire.Age;

/// What servers do in delayed block proximal gradient (Li, Andersen, Smola and Yu, NIPS 2014, Algorithm 2): once all
/// workers have pushed a block, each of its weights takes a proximal step by itself,
///
///     w ← argmin_x g·(x − w) + u/2·(x − w)² + h(x), but no further than δ,
///
/// where g is the sum of the workers' gradients and u that of their bounds on the curvature within δ. A worker that
/// looks from a place v ahead of w pushes the gradient there less u·v: that makes it the step from there.
///
/// A row has two entries, of which workers push g and u, and pull w and the *outlook*: δ for the next step if that is
/// above 0; else w is 0 and did not move, δ is [#LEAST], and −outlook is by how much the gradient would have to change
/// before that could be wrong, divided by the curvature: so far would the scores of all rows that have the feature have
/// to move, and all the same way, to three binary digits. So a worker that knows how far scores still move needs
/// nothing else to leave a weight out.
///
/// A curvature below 0 says that the gradient is only to be measured, and the curvature at most the same without its
/// sign: the row then keeps its weight.
///
/// Small steps may be left for later (the significantly-modified filter of the same paper): one of at most hold / t is
/// not taken in round t, unless it ends at 0. Nor is the outlook changed then, if it is within half and twice of what
/// it would be. All workers that have the feature took part in the step, so all have the row as it still is, and need
/// not be sent it. The next step is found anew, from the gradient at the weights that they have. Updates say their
/// round by their [Age]; of those that do not, all steps are taken.
///
/// @param hold what steps are held against, in the first round; 0 to take all
/// @param now  the same in the round of the update in hand
public record BlockProximal(Separable penalty, double hold, double now) implements SettlingRule {

    /// δ before the first step, at most, and for weights at rest.
    public static final double FIRST = 1;

    public static final double MOST = 5;
    public static final double LEAST = 0.1;

    /// What a worker pushes as curvature to have a gradient measured, where nobody asks for the outlook.
    public static final double MEASURE = -1;

    /// Columns: what is pulled, the sum of what was pushed, and in the first entry the weight before the last step, in
    /// the second the gradient that was seen last.
    private static final int SUM = 1;

    static final int BEFORE = 2;
    static final int SEEN = 2;

    /// If steps may be held back: up to which, in the first entry; in the second, whether the last one was.
    private static final int HELD = 3;

    private static final double STAYED = -1;

    /// Of an outlook at rest. Most of what is pulled are those, and with all 53 digits they hardly compress.
    private static final int DIGITS = 3;

    public BlockProximal(Separable penalty) {
        this(penalty, 0);
    }

    public BlockProximal(Separable penalty, double hold) {
        this(penalty, hold, 0);
    }

    @Override
    public int columns() {
        return hold > 0 ? 4 : 3;
    }

    @Override
    public BlockProximal aged(Age age) {
        return hold > 0 ? new BlockProximal(penalty, hold, age.isKnown() ? hold / Math.max(1, age.read()) : 0) : this;
    }

    /// How far a weight may move in the next step, by its outlook.
    public static double reach(double outlook) {
        return outlook > 0 ? outlook : outlook < 0 ? LEAST : FIRST;
    }

    @Override
    public void update(double[] entries, int at, double pushed) {
        entries[at + SUM] += pushed;
        if (hold > 0) {
            entries[at + HELD] = now;
        }
    }

    @Override
    public void settle(double[] e, int at, int width) {
        int second = at + columns();
        double g = e[at + SUM];
        double u = e[second + SUM];
        if (u == 0) {
            return;
        }
        e[second + SEEN] = g;
        double held = hold > 0 ? e[at + HELD] : 0;
        double w = e[at];
        double outlook = e[second];
        if (u > 0) {
            double reach = reach(outlook);
            double step = Math.clamp(penalty.prox(w - g / u, 1 / u) - w, -reach, reach);
            boolean small = Math.abs(step) <= held && (w + step != 0 || w == 0);
            e[at] = held > 0 && small ? w : penalty.nearest(w + step);
            e[at + BEFORE] = w;
            e[second] = outlook(e[at], g, u, step);
        } else if (w == 0 && outlook <= 0) {
            e[second] = outlook(0, g, -u, 0);
        }
        boolean stays = held > 0 && e[at] == w && isNear(e[second], outlook);
        if (stays) {
            e[second] = outlook;
        }
        e[at + SUM] = 0;
        e[second + SUM] = 0;
        if (hold > 0) {
            e[second + HELD] = stays ? STAYED : 0;
        }
    }

    /// Whether an outlook will do for another one.
    private static boolean isNear(double one, double other) {
        double ratio = one / other;
        return ratio >= 0.5 && ratio <= 2;
    }

    @Override
    public boolean stayed(double[] entries, int at) {
        return hold > 0 && entries[at + columns() + HELD] == STAYED;
    }

    private double outlook(double w, double g, double u, double step) {
        double slack = w == 0 && step == 0 ? penalty.slack(g) : 0;
        return slack > 0 ? atRest(slack, u) : Math.min(MOST, 2 * Math.abs(step) + LEAST);
    }

    /// The outlook at rest. It has the first [#DIGITS] binary digits only, so that a wake may come early but not late.
    static double atRest(double slack, double u) {
        long bits = Double.doubleToRawLongBits(slack / u);
        return -Double.longBitsToDouble(bits & -1L << Double.PRECISION - DIGITS);
    }

    /// Begins with the weight; the outlook is that of the first step.
    @Override
    public void start(double[] entries, int at, int width, double weight) {
        entries[at] = weight;
        entries[at + BEFORE] = weight;
    }
}
