package tandem.wire;

import java.util.Arrays;

/// Who holds a seat: servers that each have all of it, in the order in which updates pass through them. The first
/// takes updates and answers reads, and acknowledges an update once the last has it.
///
/// @param servers the members; from number `whole` on they are still being given what the others have
/// @param since   by member, the epoch in which it came: what it held of the seat before that is worth nothing
/// @param whole   how many of them, from the first on, have everything
public record Chain(int[] servers, long[] since, int whole) {

    /// One server, from the beginning on.
    public static Chain of(int... servers) {
        long[] since = new long[servers.length];
        Arrays.fill(since, 1);
        return new Chain(servers, since, servers.length);
    }

    public int head() {
        return servers[0];
    }

    /// The last that has everything.
    public int tail() {
        return servers[whole - 1];
    }

    /// Where a server stands in it, from 0 on; −1 if it is no member.
    public int position(int server) {
        for (int position = 0; position < servers.length; position++) {
            if (servers[position] == server) {
                return position;
            }
        }
        return -1;
    }

    public boolean has(int server) {
        return position(server) >= 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Chain(int[] otherServers, long[] otherSince, int otherWhole)
                && whole == otherWhole
                && Arrays.equals(servers, otherServers)
                && Arrays.equals(since, otherSince);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(servers) + whole;
    }
}
