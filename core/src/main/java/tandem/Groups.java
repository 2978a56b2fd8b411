package tandem;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tandem.data.BadData;
import tandem.math.Hash;
import tandem.math.Mix;
import tandem.problem.GroupKeys;
import tandem.problem.GroupLasso;
import tandem.worker.BlockTask;

/// Named groups of feature ids, from a file with a line a group: `name: 1-13 20 25`. Ranges include both
/// ends; a line that starts with `#` is a comment.
public final class Groups {

    private static final Pattern LINE = Pattern.compile("([^:#]+):((?:\\s+\\d+(?:-\\d+)?)+)\\s*");

    /// Ids from `first` to `last`, as unsigned numbers, in group `group`.
    private record Range(long first, long last, int group) {

        /// Whether it has at most so many ids.
        boolean isWithin(long most) {
            return Long.compareUnsigned(last - first, most) < 0;
        }
    }

    /// The most ids of a group whose members are kept together, and how often a place for them is drawn.
    private static final long MOST_MEMBERS = 1L << 40;

    private static final int MOST_DRAWS = 1000;

    private final int count;
    private final List<Range> ranges;

    private Groups(int count, List<Range> ranges) {
        this.count = count;
        this.ranges = ranges;
    }

    public static Groups read(Path file) throws IOException {
        List<String> lines = lines(file);
        List<Range> ranges = new ArrayList<>();
        int count = 0;
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            Matcher parts = LINE.matcher(line);
            if (!parts.matches()) {
                throw new BadData(file + ":" + number + ": found '" + line
                        + "'; a group is its name, a colon, and ids or ranges, such as  age: 1-5 9");
            }
            for (String piece : parts.group(2).strip().split("\\s+")) {
                ranges.add(range(file + ":" + number, piece, count));
            }
            count++;
        }
        if (count == 0) {
            throw new BadData(file + ": holds no group; write one a line, such as  age: 1-5 9");
        }
        ranges.sort(Comparator.comparing(Range::first, Long::compareUnsigned));
        for (int r = 1; r < ranges.size(); r++) {
            long id = ranges.get(r).first();
            if (Long.compareUnsigned(id, ranges.get(r - 1).last()) <= 0) {
                boolean same = ranges.get(r).group() == ranges.get(r - 1).group();
                throw new BadData(file + ": id " + Long.toUnsignedString(id)
                        + (same
                                ? " is in its group twice; name it once"
                                : " is in two groups; give each id one group"));
            }
        }
        return new Groups(count, List.copyOf(ranges));
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new BadData(file + ": is not text (UTF-8); write a group a line, such as  age: 1-5 9");
        }
    }

    private static Range range(String where, String piece, int group) throws BadData {
        int dash = piece.indexOf('-');
        try {
            long first = Long.parseUnsignedLong(dash < 0 ? piece : piece.substring(0, dash));
            long last = dash < 0 ? first : Long.parseUnsignedLong(piece.substring(dash + 1));
            if (Long.compareUnsigned(first, last) > 0) {
                throw new BadData(where + ": the range " + piece + " runs backwards; write the smaller id first");
            }
            return new Range(first, last, group);
        } catch (NumberFormatException tooLarge) {
            throw new BadData(where + ": " + piece + " is out of range; ids go up to 18446744073709551615");
        }
    }

    /// How many groups there are.
    public int count() {
        return count;
    }

    /// Keys that put each group into one shard of `shards` and one block of `blocks`, so that who has one member has
    /// all: the place of a group is drawn until it is in one of each, and nobody else's.
    GroupKeys keys(int shards, int blocks) {
        long[] sizes = new long[count];
        long[] within = new long[ranges.size()];
        for (int r = 0; r < within.length; r++) {
            Range range = ranges.get(r);
            within[r] = sizes[range.group()];
            sizes[range.group()] += range.last() - range.first() + 1;
            if (!range.isWithin(MOST_MEMBERS) || sizes[range.group()] > MOST_MEMBERS) {
                throw new IllegalArgumentException("the group of id " + Long.toUnsignedString(range.first())
                        + " has more than " + MOST_MEMBERS + " ids, and dbpg keeps a group on one server; name those"
                        + " that there are, or use --solver batch");
            }
        }
        TreeMap<Long, Long> places = new TreeMap<>(Long::compareUnsigned);
        long[] begins = new long[count];
        for (int g = 0; g < count; g++) {
            begins[g] = place(g, sizes[g], places, shards, blocks);
            places.put(begins[g], begins[g] + sizes[g] - 1);
        }
        long[] slots = new long[within.length];
        Arrays.setAll(slots, r -> begins[ranges.get(r).group()] + within[r]);
        return GroupKeys.of(
                ranges.stream().mapToLong(Range::first).toArray(),
                ranges.stream().mapToLong(Range::last).toArray(),
                slots,
                places.keySet().stream().mapToLong(Long::longValue).toArray(),
                places.values().stream().mapToLong(Long::longValue).toArray());
    }

    private static long place(int group, long size, TreeMap<Long, Long> taken, int shards, int blocks) {
        for (int draw = 0; draw < MOST_DRAWS; draw++) {
            long first = Hash.number(group, draw);
            long last = first + size - 1;
            Map.Entry<Long, Long> before = Long.compareUnsigned(first, last) <= 0 ? taken.floorEntry(last) : null;
            boolean free = before == null || Long.compareUnsigned(before.getValue(), first) < 0;
            if (free
                    && Long.compareUnsigned(first, last) <= 0
                    && Math.unsignedMultiplyHigh(first, shards) == Math.unsignedMultiplyHigh(last, shards)
                    && BlockTask.block(first, blocks) == BlockTask.block(last, blocks)) {
                return first;
            }
        }
        throw new IllegalArgumentException("group " + (group + 1) + " of " + size
                + " ids fits into no block; use fewer --blocks, or --solver batch");
    }

    /// The group of each of `keys` (mixed), [GroupLasso#ALONE] for those in none.
    int[] of(long[] keys) {
        int[] groups = new int[keys.length];
        for (int k = 0; k < keys.length; k++) {
            groups[k] = groupOf(Mix.unmix(keys[k]));
        }
        return groups;
    }

    private int groupOf(long id) {
        int low = 0;
        int high = ranges.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Range range = ranges.get(middle);
            if (Long.compareUnsigned(id, range.first()) < 0) {
                high = middle - 1;
            } else if (Long.compareUnsigned(id, range.last()) > 0) {
                low = middle + 1;
            } else {
                return range.group();
            }
        }
        return GroupLasso.ALONE;
    }
}
