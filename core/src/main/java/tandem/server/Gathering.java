package tandem.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// Updates that wait until each stream has one, so that they are applied and passed on as one: their sum. So a chain
/// carries as much as if there were one stream (Li et al. 2014, section 4.3: replication after aggregation).
///
/// Nobody waits for ever: what is there after a while is enough, because a stream may have nothing to do.
final class Gathering {

    private static final Comparator<Number> ORDER =
            Comparator.comparingInt(Number::stream).thenComparingLong(Number::sequence);

    private final TreeMap<Number, Gathered> updates = new TreeMap<>(ORDER);
    private final long patienceNanos;
    private long firstNanos;

    /// @param patienceNanos how long an update waits for others
    Gathering(long patienceNanos) {
        this.patienceNanos = patienceNanos;
    }

    private record Number(int stream, long sequence) {}

    /// An update and who waits for its acknowledgement. Its parts have all their keys and values, and no rows that were
    /// left out.
    record Gathered(Address asker, Message.Update update) {}

    boolean isEmpty() {
        return updates.isEmpty();
    }

    /// Keeps an update. Whoever made it must leave its arrays alone until it is acknowledged, as ever.
    void add(Address asker, Message.Update update, long nowNanos) {
        firstNanos = updates.isEmpty() ? nowNanos : firstNanos;
        updates.put(new Number(update.stream(), update.sequence()), new Gathered(asker, update));
    }

    /// Whether there is one of each stream that is not over.
    boolean isComplete(int streams, IntPredicate isOver) {
        for (int stream = 0; stream < streams; stream++) {
            Number first = updates.ceilingKey(new Number(stream, Long.MIN_VALUE));
            if ((first == null || first.stream != stream) && !isOver.test(stream)) {
                return false;
            }
        }
        return true;
    }

    boolean isOverdue(long nowNanos) {
        return !updates.isEmpty() && nowNanos - firstNanos >= patienceNanos;
    }

    /// Takes out all that there is, by stream and number.
    List<Gathered> take() {
        List<Gathered> all = List.copyOf(updates.values());
        updates.clear();
        return all;
    }

    void clear() {
        updates.clear();
    }

    /// Updates as one.
    static Message.Merged merged(List<Gathered> all) {
        long[] of = all.stream()
                .map(Gathered::update)
                .flatMapToLong(one -> LongStream.of(one.stream(), one.lease(), one.sequence(), one.clock()))
                .toArray();
        TreeMap<Shard.Place, List<Part>> byShard =
                new TreeMap<>(Comparator.comparingInt(Shard.Place::table).thenComparingInt(Shard.Place::shard));
        for (Gathered one : all) {
            for (Part part : one.update.parts()) {
                byShard.computeIfAbsent(new Shard.Place(part.table(), part.shard()), _ -> new ArrayList<>())
                        .add(part);
            }
        }
        List<Part> sums = new ArrayList<>();
        byShard.values().forEach(parts -> sums.addAll(summed(parts)));
        return new Message.Merged(of, sums.toArray(Part[]::new));
    }

    /// The sum of parts of one shard; rows of lengths of their own have none.
    private static List<Part> summed(List<Part> parts) {
        Part first = parts.getFirst();
        if (parts.size() == 1 || first.values() instanceof Values.Ragged) {
            return parts;
        }
        boolean alike = parts.stream().allMatch(part -> hasSameKeys(part, first));
        return List.of(alike ? added(parts) : united(parts));
    }

    private static boolean hasSameKeys(Part one, Part other) {
        Hash.Signature signature = one.keys().signature();
        boolean ranges = one.keys().isRange() && other.keys().isRange();
        return one.count() == other.count()
                && (signature != null && signature.equals(other.keys().signature())
                        || ranges && one.count() > 0 && one.key(0) == other.key(0));
    }

    /// The sum of parts that have the same keys.
    private static Part added(List<Part> parts) {
        Values sum = parts.getFirst().values().detached();
        for (Part part : parts.subList(1, parts.size())) {
            add(part.values(), 0, sum, 0, part.count() * part.width());
        }
        return parts.getFirst().with(sum);
    }

    /// The sum of parts over all keys that one of them has.
    private static Part united(List<Part> parts) {
        long[] all = parts.stream()
                .flatMapToLong(part -> LongStream.range(0, part.count()).map(k -> part.key((int) k)))
                .map(key -> key ^ Long.MIN_VALUE) // signed order of the flipped keys is the unsigned order of the keys
                .sorted()
                .distinct()
                .map(key -> key ^ Long.MIN_VALUE)
                .toArray();
        Part first = parts.getFirst();
        int width = first.width();
        Values sum = first.values() instanceof Values.Doubles
                ? Values.of(new double[all.length * width])
                : Values.of(new float[all.length * width]);
        for (Part part : parts) {
            for (int k = 0, at = 0; k < part.count(); k++, at++) {
                while (all[at] != part.key(k)) {
                    at++;
                }
                add(part.values(), k * width, sum, at * width, width);
            }
        }
        return new Part(first.table(), first.shard(), Keys.once(all, all.length), 0, all.length, width, sum);
    }

    /// Adds `count` numbers, from number `from` on, to those from number `at` on.
    private static void add(Values values, int from, Values sum, int at, int count) {
        switch (values) {
            case Values.Floats(float[] array, int start, int _)
            when sum instanceof Values.Floats into -> {
                for (int v = 0; v < count; v++) {
                    into.array()[into.at() + at + v] += array[start + from + v];
                }
            }
            case Values.Doubles(double[] array, int start, int _)
            when sum instanceof Values.Doubles into -> {
                for (int v = 0; v < count; v++) {
                    into.array()[into.at() + at + v] += array[start + from + v];
                }
            }
            default ->
                throw new IllegalArgumentException("numbers of " + Arrays.asList(values, sum) + ", which have no sum");
        }
    }
}
