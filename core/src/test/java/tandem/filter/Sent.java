package tandem.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import tandem.wire.Keys;
import tandem.wire.Values;

/// Rows as they arrive at the other end of a stack of filters, and what that took.
///
/// @param arrived  the numbers, zeros in rows that were left out
/// @param packed   the bytes that travelled
/// @param counted  what each filter counted where it packed
/// @param recounted the same where it unpacked
record Sent(
        double[] arrived,
        boolean[] leftOut,
        byte[] packed,
        Map<String, Tally.Bytes> counted,
        Map<String, Tally.Bytes> recounted) {

    private static final int STREAM = 3;
    private static final int TABLE = 2;
    private static final int SHARD = 5;

    /// Sends rows of `width` through the filters of `stack`, as request `number` of a stream.
    static Sent through(
            Stack stack, Tally tally, Stack other, Tally otherTally, Values values, int width, long number) {
        int count = Entries.of(values).count();
        int rows = count / width;
        Moment moment = stack.moment(STREAM, number, TABLE, number);
        Rows chosen = stack.choose(new Rows(Keys.range(7, rows), width, values), moment);
        Values.Packed packed = stack.pack(chosen.values(), rows, chosen.leftOut(0, rows), moment, SHARD);
        boolean doubles = values instanceof Values.Doubles;
        Stack.Unpacked back = other.unpack(packed, rows, count, doubles);
        boolean[] leftOut = new boolean[rows];
        back.leftOut().stream().forEach(row -> leftOut[row] = true);
        return new Sent(numbers(back.values()), leftOut, packed.bytes(), tally.byName(), otherTally.byName());
    }

    /// The same through filters made for this once.
    static Sent through(String filters, Values values, int width, long number) {
        Tally tally = new Tally();
        Tally other = new Tally();
        return through(stack(filters, tally), tally, stack(filters, other), other, values, width, number);
    }

    static Stack stack(String filters, Tally tally) {
        return new Filters(11).stack(List.of(filters.split(",")), Direction.PUSH, tally);
    }

    static double[] numbers(Values values) {
        Entries entries = Entries.of(values);
        double[] numbers = new double[entries.count()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = entries.at(i);
        }
        return numbers;
    }

    /// Numbers of all sorts and sizes, rows of 1 and 3, floats and doubles.
    static List<Values> samples() {
        SplittableRandom chance = new SplittableRandom(1);
        List<double[]> all = new ArrayList<>();
        for (int count : new int[] {0, 3, 9, 63, 66, 255, 3000}) {
            all.add(chance.doubles(count, -1, 1).toArray());
            all.add(new double[count]);
            double[] sparse = new double[count];
            double[] wide = new double[count];
            double[] odd = new double[count];
            for (int i = 0; i < count; i++) {
                sparse[i] = chance.nextInt(4) == 0 ? chance.nextDouble(-2, 2) : 0;
                wide[i] = chance.nextDouble(-1, 1) * Math.pow(10, chance.nextInt(-30, 30));
                odd[i] = switch (chance.nextInt(6)) {
                    case 0 -> Double.NaN;
                    case 1 -> Double.POSITIVE_INFINITY;
                    case 2 -> Double.NEGATIVE_INFINITY;
                    case 3 -> -0.0;
                    case 4 -> Float.MIN_VALUE;
                    default -> Float.MAX_VALUE;
                };
            }
            all.add(sparse);
            all.add(wide);
            all.add(odd);
        }
        List<Values> samples = new ArrayList<>();
        for (double[] numbers : all) {
            samples.add(Values.of(numbers));
            float[] floats = new float[numbers.length + 2];
            for (int i = 0; i < numbers.length; i++) {
                floats[i + 1] = (float) numbers[i];
            }
            samples.add(new Values.Floats(floats, 1, numbers.length));
        }
        return samples;
    }
}
