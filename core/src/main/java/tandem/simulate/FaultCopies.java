package tandem.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import tandem.server.Server;
import tandem.wire.Chain;
import tandem.wire.Layout;

/// The copies of each seat that the servers of a run hold, and whether they are alike.
final class FaultCopies {

    private final FaultHome home;
    private final SortedMap<Integer, Server> servers;
    private final int copies;

    /// @param servers those that are up, by number
    /// @param copies  how many of each seat there are to be
    FaultCopies(FaultHome home, SortedMap<Integer, Server> servers, int copies) {
        this.home = home;
        this.servers = servers;
        this.copies = copies;
    }

    /// Whether each seat is on as many servers as it should be, and all of them have had the same number of updates.
    boolean areComplete() {
        for (int seat = 0; seat < layout().seats(); seat++) {
            Chain chain = layout().chains()[seat];
            if (chain.whole() != chain.servers().length || chain.whole() != Math.min(copies, servers.size())) {
                return false;
            }
            long first = passed(chain.head(), seat);
            for (int member : chain.servers()) {
                if (first < 0 || passed(member, seat) != first) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Looks for copies that had the same number of updates and are not alike. Who has not heard of the latest epoch
    /// may have updates that do not count.
    void compare(FaultLedger ledger) {
        for (int seat = 0; seat < layout().seats(); seat++) {
            Server.Print first = null;
            for (int member : layout().chains()[seat].servers()) {
                Server.Print print = isUpToDate(member) ? print(member, seat) : null;
                boolean alike =
                        print == null || first == null || print.updates() != first.updates() || print.equals(first);
                if (!alike) {
                    ledger.violated("G7: the copies of seat " + seat + " are not alike: " + first + " and " + print);
                }
                first = first == null ? print : first;
            }
        }
    }

    private boolean isUpToDate(int server) {
        return servers.containsKey(server) && servers.get(server).epoch() == layout().epoch();
    }

    /// The row of a key, where it is spoken for.
    double row(long key) {
        int shard = layout().tables()[FaultTables.COUNTS].shardOf(key);
        int seat = layout().owners()[FaultTables.COUNTS][shard];
        return servers.get(layout().chains()[seat].head()).value(FaultTables.COUNTS, key);
    }

    private Layout layout() {
        return home.layout();
    }

    /// Whether a server is up and has all of a seat, and not in an earlier life only.
    boolean has(int server, int seat) {
        return passed(server, seat) >= 0;
    }

    private long passed(int server, int seat) {
        Server there = servers.get(server);
        return there == null ? -1 : there.passed(seat);
    }

    private Server.Print print(int server, int seat) {
        Server there = servers.get(server);
        return there == null ? null : there.print(seat);
    }

    @Override
    public String toString() {
        List<String> chains = Arrays.stream(layout().chains())
                .map(chain -> Arrays.toString(chain.servers()) + " whole " + chain.whole())
                .toList();
        return "chains in epoch " + layout().epoch() + " are " + chains + " of servers " + servers.values();
    }
}
