package tandem.filter;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import tandem.math.Hash;
import tandem.wire.Keys;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// The filters of a table in one direction, one after the other. Packed values begin with how many numbers they stand
/// for; then each filter adds its own.
public final class Stack {

    /// Packed values may be larger than their numbers by what filters say about them, at most this share and a bit.
    private static final int MOST_MORE = 4;

    private static final int MOST_HEAD = 64;

    /// Bytes of the signature of a list.
    private static final int SIGNATURE = 16;

    private final List<Step> all;
    private final List<Step> choices;
    private final List<Step> numbers;
    private final List<Step> bytes;
    private final Step coder;
    private final Step cache;
    private final long seed;

    /// A filter, what it is called in reports, and where it counts bytes.
    record Step(String name, Filter filter, Tally.Count count) {}

    Stack(List<Step> all, Direction direction, long seed) {
        this.all = List.copyOf(all);
        this.seed = Hash.number(seed, direction.ordinal());
        choices = of(Choice.class);
        numbers = of(Numbers.class);
        bytes = of(Bytes.class);
        coder = only(of(KeyCoder.class));
        cache = only(of(KeyCache.class));
        checkOrder();
        if (direction == Direction.PULL) {
            choices.stream()
                    .filter(step -> !((Choice) step.filter).isForPulls())
                    .findFirst()
                    .ifPresent(step -> {
                        throw new IllegalArgumentException("filter " + step.name
                                + " is for what is pushed; who pulls would not notice what it leaves out");
                    });
        }
    }

    private List<Step> of(Class<? extends Filter> kind) {
        return all.stream().filter(step -> kind.isInstance(step.filter)).toList();
    }

    private static Step only(List<Step> steps) {
        if (steps.size() > 1) {
            throw new IllegalArgumentException("filters " + steps.get(0).name + " and " + steps.get(1).name
                    + " both say how keys travel; use one of them");
        }
        return steps.isEmpty() ? null : steps.getFirst();
    }

    /// That what leaves rows out comes first, then what makes numbers shorter, then what squeezes bytes.
    private void checkOrder() {
        List<Step> right = new ArrayList<>(choices);
        right.addAll(numbers);
        right.addAll(bytes);
        List<Step> found = all.stream().filter(right::contains).toList();
        for (int s = 0; s < found.size(); s++) {
            if (found.get(s) != right.get(s)) {
                throw new IllegalArgumentException("filter " + right.get(s).name + " comes after " + found.get(s).name
                        + ", where it is of no use; rows are left out first, then numbers made shorter, then bytes"
                        + " squeezed, so put it before");
            }
        }
        for (int s = 0; s + 1 < numbers.size(); s++) {
            if (((Numbers) numbers.get(s).filter).isLast()) {
                throw new IllegalArgumentException("filter " + numbers.get(s).name + " leaves nothing for "
                        + numbers.get(s + 1).name + "; put it after, or leave one of them out");
            }
        }
    }

    List<Step> steps() {
        return all;
    }

    /// Whether values become packed at all.
    public boolean packs() {
        return !choices.isEmpty() || !numbers.isEmpty() || !bytes.isEmpty();
    }

    /// Whether rows may be left out.
    public boolean chooses() {
        return !choices.isEmpty();
    }

    /// Whether lists of keys are remembered.
    public boolean caches() {
        return cache != null;
    }

    /// Counts keys that are known where they go, as far as there are any to be known.
    private static long bytes(Keys keys, int count) {
        return keys.list() == null ? 0 : (long) Long.BYTES * count;
    }

    /// The keys of a part as they travel, `known` if the receiver knows the list.
    public Part keyed(Part part, boolean known) {
        Part sent = part;
        if (cache != null && part.keys().signature() != null) {
            sent = known ? part.bare() : part;
            cache.count.add(bytes(part.keys(), part.count()), SIGNATURE + bytes(sent.keys(), part.count()));
        }
        if (coder == null || sent.keys().list() == null) {
            return sent;
        }
        byte[] packed = ((KeyCoder) coder.filter).pack(sent.keys().list(), sent.from(), sent.to());
        coder.count.add(bytes(sent.keys(), sent.count()), packed.length);
        return sent.with(Keys.packed(packed, sent.count(), sent.keys().signature()));
    }

    /// A part with its keys as a list again, if they were packed.
    public Part listed(Part part) {
        if (!part.keys().isPacked()) {
            return part;
        }
        if (coder == null) {
            throw new ProtocolError("packed keys for table " + part.table() + ", which has no filter for them");
        }
        long[] list = ((KeyCoder) coder.filter).unpack(part.keys().packed(), part.count());
        coder.count.add((long) Long.BYTES * part.count(), part.keys().packed().length);
        return part.with(Keys.known(list, part.count(), part.keys().signature()));
    }

    /// Request `number` of a stream, as far as it is about a table.
    public Moment moment(int stream, long number, int table, long clock) {
        return Moment.of(seed, stream, number, table, clock);
    }

    /// Leaves rows out: the result is a copy, and what was given stays as it is.
    public Rows choose(Rows rows, Moment moment) {
        Rows chosen = rows.copied();
        for (Step step : choices) {
            long before = chosen.bytes();
            ((Choice) step.filter).choose(chosen, moment);
            step.count.add(before, chosen.bytes());
        }
        return chosen;
    }

    /// Takes away something that a choice still holds back; null if there is nothing left.
    public Rows rest() {
        for (Step step : choices) {
            Rows held = ((Choice) step.filter).rest();
            if (held != null) {
                return held;
            }
        }
        return null;
    }

    /// The values of one shard's rows as bytes.
    ///
    /// @param leftOut the rows that do not travel; none if null, as where rows have lengths of their own
    public Values.Packed pack(Values values, int rows, BitSet leftOut, Moment moment, int shard) {
        Entries left = Entries.of(values);
        Output out = new Output((int) Math.min(1 << 20, left.bytes() + rows + MOST_HEAD));
        if (values instanceof Values.Ragged ragged) {
            for (int row = 0; row < rows; row++) {
                out.varint(ragged.length(row));
            }
        }
        out.varint(left.count());
        if (chooses()) {
            int head = out.size();
            Gaps.write(leftOut, rows, out);
            choices.getLast().count.add(0, out.size() - head);
            left = left.without(leftOut, rows == 0 ? 1 : left.count() / rows);
        }
        long chance = moment.of(shard);
        for (Step step : numbers) {
            int from = out.size();
            Entries rest = ((Numbers) step.filter).pack(left, out, chance);
            step.count.add(left.bytes(), out.size() - from + rest.bytes());
            left = rest;
        }
        left.write(out);
        byte[] packed = out.toBytes();
        for (Step step : bytes) {
            byte[] smaller = ((Bytes) step.filter).pack(packed);
            step.count.add(packed.length, smaller.length);
            packed = smaller;
        }
        return new Values.Packed(packed);
    }

    /// What came out of packed values.
    ///
    /// @param values  zeros where rows were left out
    /// @param leftOut which rows those are
    public record Unpacked(Values values, BitSet leftOut) {

        /// How many numbers there are.
        public int count() {
            return Entries.of(values).count();
        }
    }

    /// The values of `rows` rows of a table; throws [ProtocolError] if the bytes cannot be that.
    public Unpacked unpack(Values.Packed packed, int rows, TableSpec table) {
        long most = (long) rows * (table.variable() ? table.width() + 1L : table.width());
        if (most > Integer.MAX_VALUE) {
            throw new ProtocolError("packed values of " + rows + " rows of " + table.width() + "; they are too many");
        }
        return table.variable()
                ? unpackRagged(packed, rows, table.width())
                : unpack(packed, rows, (int) most, table.doubles());
    }

    /// The values of `rows` rows, at most `most` numbers; throws [ProtocolError] if the bytes cannot be that.
    public Unpacked unpack(Values.Packed packed, int rows, int most, boolean doubles) {
        Input in = new Input(unsqueezed(packed, (long) most * (doubles ? Double.BYTES : Float.BYTES)));
        return new Unpacking(in, numbers, doubles).unpack(rows, most, chooses() ? choices.getLast() : null);
    }

    /// The same of rows of lengths of their own, each at most `width` floats.
    private Unpacked unpackRagged(Values.Packed packed, int rows, int width) {
        Input in = new Input(unsqueezed(packed, Float.BYTES * (width + 1L) * rows));
        in.need(rows);
        int[] lengths = new int[rows];
        int all = 0;
        for (int row = 0; row < rows; row++) {
            lengths[row] = in.varint(width, "numbers in a row");
            all += lengths[row];
        }
        Unpacked flat = new Unpacking(in, numbers, false).unpack(rows, all, null);
        if (flat.count() != all) {
            throw new ProtocolError("packed values have " + flat.count() + " numbers for rows of " + all);
        }
        return new Unpacked(Values.Ragged.packed(Entries.of(flat.values()).floats(), lengths), flat.leftOut());
    }

    /// The bytes before they were squeezed: `room` for the numbers, and some more.
    private byte[] unsqueezed(Values.Packed packed, long room) {
        int mostBytes = (int) Math.min(Integer.MAX_VALUE - 8, room + room / MOST_MORE + MOST_HEAD);
        byte[] plain = packed.bytes();
        for (Step step : bytes.reversed()) {
            byte[] larger = ((Bytes) step.filter).unpack(plain, mostBytes);
            step.count.add(larger.length, plain.length);
            plain = larger;
        }
        return plain;
    }
}
