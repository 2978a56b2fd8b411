package tandem.data;

/// What has to travel if each part of the rows is worked on by one node, which also holds some of the keys: keys that
/// a node needs and another holds.
///
/// @param leastRows  rows of the smallest part
/// @param mostRows   rows of the largest
/// @param workingSet keys that the rows of a part have, of the part with the most
/// @param remote     keys that nodes need and others hold, over all nodes
/// @param mostRemote the same of the busiest node, together with what others ask it for
public record PartTraffic(long leastRows, long mostRows, long workingSet, long remote, long mostRemote) {

    /// @param rows   how many each part has
    /// @param needed by key, the parts that need it, as bits
    /// @param owners by key, the part that has it
    static PartTraffic of(long[] rows, long[] needed, byte[] owners) {
        int parts = rows.length;
        long[] sets = new long[parts];
        long[] load = new long[parts];
        long remote = 0;
        for (int key = 0; key < needed.length; key++) {
            for (int part = 0; part < parts; part++) {
                if ((needed[key] >>> part & 1) == 0) {
                    continue;
                }
                sets[part]++;
                if (owners[key] != part) {
                    remote++;
                    load[part]++;
                    load[owners[key]]++;
                }
            }
        }
        return new PartTraffic(least(rows), most(rows), most(sets), remote, most(load));
    }

    private static long least(long[] numbers) {
        long least = numbers[0];
        for (long number : numbers) {
            least = Math.min(least, number);
        }
        return least;
    }

    private static long most(long[] numbers) {
        long most = numbers[0];
        for (long number : numbers) {
            most = Math.max(most, number);
        }
        return most;
    }
}
