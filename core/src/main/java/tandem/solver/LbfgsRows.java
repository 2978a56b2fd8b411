package tandem.solver;

import tandem.problem.Separable;
import tandem.server.Row;
import tandem.server.ServerChange;
import tandem.server.ServerFunction;
import tandem.server.TableRows;
import tandem.server.UpdateRule;
import tandem.wire.Figures;

/// The vectors of L-BFGS and OWL-QN (Andrew and Gao 2007) where they live: a row has a number of each,
/// and what is done with all rows needs some numbers on the wire. Workers pull the point to look at, z,
/// and push the gradient g of their examples' loss there, which adds up.
///
/// Besides these, a row has the weight w and the gradient there, ∇, the direction d, and the pairs s and
/// y. Gradients that are kept have the share of the L2 penalty in them; what the L1 penalty makes of
/// them is the *pseudo-gradient*, the steepest slope of the objective. Under L1 no weight goes through 0: it stops
/// there. Nor does one move against the pseudo-gradient, as in the paper; but where that makes a bad direction, because
/// features nearly add up to each other and what makes up for others is left out, a direction is taken *whole*: only
/// weights at 0 do not move against it.
///
/// Nothing depends on the unit that a feature is measured in: inner products of gradients are weighted by p, the
/// inverse of a bound on the curvature along each weight, as if every weight were measured by the root of that bound.
/// Those with steps are the same in any unit.
///
/// @param memory how many pairs are kept
public record LbfgsRows(int memory) implements UpdateRule {

    /// The columns of a row.
    private static final int POINT = 0;

    private static final int WEIGHT = 1;
    private static final int DIRECTION = 2;
    private static final int GATHERED = 3;
    private static final int GRADIENT = 4;
    private static final int INVERSE = 5;
    private static final int PAIRS = 6;

    /// What [#LOOK] begins with; the products with the pairs follow, four for each slot.
    private static final int FIRST_PRODUCT = 12;

    @Override
    public int columns() {
        return PAIRS + 2 * memory;
    }

    @Override
    public void update(float[] entries, int at, float gradient) {
        throw new IllegalArgumentException("L-BFGS works on tables of doubles");
    }

    @Override
    public void update(double[] entries, int at, double gradient) {
        entries[at + GATHERED] += gradient;
    }

    @Override
    public void begin(double[] entries, int at) {
        entries[at + INVERSE] = 1;
    }

    @Override
    public void start(double[] entries, int at, int width, double weight) {
        entries[at + POINT] = weight;
        entries[at + WEIGHT] = weight;
    }

    private static int step(int slot) {
        return PAIRS + 2 * slot;
    }

    private static int change(int slot) {
        return PAIRS + 2 * slot + 1;
    }

    /// The arguments of [#UNIT].
    ///
    /// @param curvature the largest second derivative of the loss
    public static Figures unit(Separable penalty, double curvature) {
        return Figures.of(penalty.l2(), curvature);
    }

    /// Takes what was gathered as Σ c·x² of each feature, from which a bound on curvature follows.
    public static final ServerChange UNIT = (rows, with) -> rows.forEach(row -> {
        row.set(0, INVERSE, inverse(row.value(0, GATHERED), with.real(1), with.real(0)));
        row.set(0, GATHERED, 0);
    });

    /// What gradients along a weight are weighted by; 1 where there is no curvature.
    ///
    /// @param squares Σ c·x² of its feature
    public static double inverse(double squares, double curvature, double l2) {
        double bound = curvature * squares + l2;
        return bound > 0 ? 1 / bound : 1;
    }

    /// A turn: makes the point the weight, if it is `accepted`, the pair of that going to slot `into`
    /// unless that is less than 0; then takes a direction, `whole` or not, and moves the point along it by `step`.
    public static Figures turn(
            Separable penalty, boolean accepted, int into, Lbfgs.Direction along, boolean whole, double step) {
        int memory = along.steps().length;
        double[] real = new double[4 + 2 * memory];
        real[0] = penalty.l1();
        real[1] = penalty.l2();
        real[2] = step;
        real[3] = along.gradient();
        System.arraycopy(along.steps(), 0, real, 4, memory);
        System.arraycopy(along.changes(), 0, real, 4 + memory, memory);
        return new Figures(new long[] {accepted ? 1 : 0, into, whole ? 1 : 0}, real);
    }

    public static final ServerChange TURN = (rows, with) -> {
        boolean accepted = with.whole(0) == 1;
        int into = (int) with.whole(1);
        boolean whole = with.whole(2) == 1;
        double l1 = with.real(0);
        double l2 = with.real(1);
        int memory = (with.real().length - 4) / 2;
        rows.forEach(row -> {
            if (accepted) {
                accept(row, l2, into);
            }
            double w = row.value(0, WEIGHT);
            double v = pseudo(w, row.value(0, GRADIENT), l1);
            double slopes = with.real(3) * v;
            double steps = 0;
            for (int slot = 0; slot < memory; slot++) {
                steps += with.real(4 + slot) * row.value(0, step(slot));
                slopes += with.real(4 + memory + slot) * row.value(0, change(slot));
            }
            double d = steps + row.value(0, INVERSE) * slopes;
            d = l1 > 0 && (w == 0 || !whole) && d * v >= 0 ? 0 : d;
            row.set(0, DIRECTION, d);
            row.set(0, POINT, moved(w, d, with.real(2), l1));
            row.set(0, GATHERED, 0);
        });
    };

    private static void accept(Row row, double l2, int into) {
        double z = row.value(0, POINT);
        double slope = row.value(0, GATHERED) + l2 * z;
        if (into >= 0) {
            row.set(0, step(into), z - row.value(0, WEIGHT));
            row.set(0, change(into), slope - row.value(0, GRADIENT));
        }
        row.set(0, WEIGHT, z);
        row.set(0, GRADIENT, slope);
    }

    /// Moves the point along the same direction by another step.
    public static Figures slide(Separable penalty, double step) {
        return Figures.of(penalty.l1(), step);
    }

    public static final ServerChange SLIDE = (rows, with) -> rows.forEach(row -> {
        row.set(0, POINT, moved(row.value(0, WEIGHT), row.value(0, DIRECTION), with.real(1), with.real(0)));
        row.set(0, GATHERED, 0);
    });

    /// Where a weight comes to; under L1 not through 0. One that is at 0 goes where the pseudo-gradient
    /// leads.
    private static double moved(double w, double d, double step, double l1) {
        double z = w + step * d;
        return l1 > 0 && z * w < 0 ? 0 : z;
    }

    /// The steepest slope of the objective at `w`, the gradient of its smooth part being `g`.
    static double pseudo(double w, double g, double l1) {
        return w > 0 ? g + l1 : w < 0 ? g - l1 : Separable.shrink(g, l1);
    }

    /// What servers see of the point once all have pushed.
    ///
    /// @param penalty  the penalty there
    /// @param moved    v·(z − w), where v is the pseudo-gradient at w
    /// @param slope    the slope of the smooth part along d, there
    /// @param first    v·d, the slope of the objective at w
    /// @param clipped  how many weights stopped at 0
    /// @param residual the largest optimality residual
    /// @param steepest the largest gradient of the loss, without its sign
    /// @param products those of the new pair and the pseudo-gradient there
    public record View(
            double penalty,
            double moved,
            double slope,
            double first,
            long clipped,
            double residual,
            double steepest,
            Lbfgs.Products products) {

        public static View of(Figures seen) {
            int memory = (seen.real().length - FIRST_PRODUCT) / 4;
            double[][] by = new double[4][memory];
            for (int slot = 0; slot < memory; slot++) {
                for (int k = 0; k < 4; k++) {
                    by[k][slot] = seen.real(FIRST_PRODUCT + 4 * slot + k);
                }
            }
            return new View(
                    seen.real(2),
                    seen.real(3),
                    seen.real(4),
                    seen.real(5),
                    (long) seen.real(6),
                    seen.real(0),
                    seen.real(1),
                    new Lbfgs.Products(
                            seen.real(7),
                            seen.real(8),
                            seen.real(9),
                            seen.real(10),
                            seen.real(11),
                            by[0],
                            by[1],
                            by[2],
                            by[3]));
        }
    }

    /// The arguments of [#LOOK] and [#ALONG].
    public static Figures look(Separable penalty, int memory) {
        return new Figures(new long[] {memory}, new double[] {penalty.l1(), penalty.l2()});
    }

    /// What a [View] is made of: the largest residual and gradient first, then sums.
    public static final ServerFunction LOOK = new ServerFunction() {
        @Override
        public Figures over(TableRows rows, Figures with) {
            Separable penalty = penalty(with);
            int memory = (int) with.whole(0);
            double[] sum = new double[FIRST_PRODUCT + 4 * memory];
            rows.forEach(row -> see(row, penalty, memory, sum));
            return Figures.of(sum);
        }

        @Override
        public Figures merge(Figures one, Figures other) {
            double[] sum = one.plus(other).real();
            sum[0] = Math.max(one.real(0), other.real(0));
            sum[1] = Math.max(one.real(1), other.real(1));
            return Figures.of(sum);
        }
    };

    private static void see(Row row, Separable penalty, int memory, double[] sum) {
        double z = row.value(0, POINT);
        double w = row.value(0, WEIGHT);
        double d = row.value(0, DIRECTION);
        double gathered = row.value(0, GATHERED);
        double before = row.value(0, GRADIENT);
        double slope = gathered + penalty.l2() * z;
        double v = pseudo(w, before, penalty.l1());
        double next = pseudo(z, slope, penalty.l1());
        double s = z - w;
        double y = slope - before;
        double p = row.value(0, INVERSE);
        sum[0] = Math.max(sum[0], penalty.residual(z, gathered));
        sum[1] = Math.max(sum[1], Math.abs(gathered));
        sum[2] += penalty.value(z);
        sum[3] += v * s;
        sum[4] += slope * d;
        sum[5] += v * d;
        sum[6] += z == 0 && w != 0 && d != 0 ? 1 : 0;
        sum[7] += s * y;
        sum[8] += p * y * y;
        sum[9] += s * next;
        sum[10] += p * y * next;
        sum[11] += p * next * next;
        for (int slot = 0, at = FIRST_PRODUCT; slot < memory; slot++, at += 4) {
            double step = row.value(0, step(slot));
            double change = row.value(0, change(slot));
            sum[at] += step * y;
            sum[at + 1] += p * change * y;
            sum[at + 2] += step * next;
            sum[at + 3] += p * change * next;
        }
    }

    /// Of the point that a step along the direction leads to, which is the third real argument: the
    /// penalty there, v·(z − w), and the slope of the L2 penalty along d.
    public static final ServerFunction ALONG = (rows, with) -> {
        Separable penalty = penalty(with);
        double[] sum = new double[3];
        rows.forEach(row -> {
            double w = row.value(0, WEIGHT);
            double d = row.value(0, DIRECTION);
            double z = moved(w, d, with.real(2), penalty.l1());
            sum[0] += penalty.value(z);
            sum[1] += pseudo(w, row.value(0, GRADIENT), penalty.l1()) * (z - w);
            sum[2] += penalty.l2() * z * d;
        });
        return Figures.of(sum);
    };

    public static Figures along(Separable penalty, double step) {
        return Figures.of(penalty.l1(), penalty.l2(), step);
    }

    /// The penalty's part of a lower bound of the objective: Σ h*(−scale·g), where `scale` is the third
    /// real argument.
    public static final ServerFunction CONJUGATE = (rows, with) -> {
        Separable penalty = penalty(with);
        double[] sum = {0};
        rows.forEach(row -> sum[0] += penalty.conjugate(-with.real(2) * row.value(0, GATHERED)));
        return Figures.of(sum);
    };

    private static Separable penalty(Figures with) {
        return Separable.l1(with.real(0)).withL2(with.real(1));
    }
}
