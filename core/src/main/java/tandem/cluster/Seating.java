package tandem.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import tandem.wire.Chain;

/// Which servers hold which seats, and how that changes step by step when servers come and go. A seat moves by first
/// being given to its new server, who is then a member of its chain like any other, and only then being taken from the
/// old one: there are never fewer copies meanwhile.
final class Seating {

    private Seating() {}

    /// The chains in the beginning, when there is nothing to be given yet.
    static Chain[] first(int[] servers, int seats, int copies) {
        int count = servers.length;
        Chain[] chains = new Chain[seats];
        for (int seat = 0; seat < seats; seat++) {
            int[] members = new int[copies];
            members[0] = servers[seat % count];
            for (int copy = 1; copy < copies; copy++) {
                // The seats that begin with the same server go on with different ones, who share them if it is lost.
                members[copy] = servers[(seat + 1 + (seat / count + copy - 1) % (count - 1)) % count];
            }
            chains[seat] = Chain.of(members);
        }
        return chains;
    }

    /// The chains without a server; null if it is the only one that has all of some seat.
    static Chain[] without(Chain[] chains, int server) {
        Chain[] next = new Chain[chains.length];
        for (int seat = 0; seat < chains.length; seat++) {
            next[seat] = chains[seat].has(server) ? without(chains[seat], server) : chains[seat];
            if (next[seat] == null) {
                return null;
            }
        }
        return next;
    }

    private static Chain without(Chain chain, int server) {
        int position = chain.position(server);
        int whole = position < chain.whole() ? chain.whole() - 1 : chain.whole();
        int[] rest = IntStream.range(0, chain.servers().length)
                .filter(member -> member != position)
                .toArray();
        return whole == 0
                ? null
                : new Chain(
                        IntStream.of(rest)
                                .map(member -> chain.servers()[member])
                                .toArray(),
                        IntStream.of(rest)
                                .mapToLong(member -> chain.since()[member])
                                .toArray(),
                        whole);
    }

    /// The same where whoever is being given a seat begins anew if it would be by another server than before.
    static Chain[] restarted(Chain[] before, Chain[] chains, long epoch) {
        Chain[] next = chains.clone();
        for (int seat = 0; seat < chains.length; seat++) {
            if (chains[seat].tail() != before[seat].tail()) {
                next[seat] = restarted(chains[seat], epoch);
            }
        }
        return next;
    }

    /// The same where whoever is being given the seat begins anew.
    static Chain restarted(Chain chain, long epoch) {
        long[] since = chain.since().clone();
        Arrays.fill(since, chain.whole(), since.length, epoch);
        return new Chain(chain.servers(), since, chain.whole());
    }

    /// The same with one more that has everything.
    static Chain grown(Chain chain) {
        return new Chain(chain.servers(), chain.since(), chain.whole() + 1);
    }

    /// The next step towards chains of `copies` members on these servers, with as even a load as can be; an equal array
    /// if there is nothing to do. Whatever is under way in a chain is waited for.
    static Chain[] improved(Chain[] chains, int[] servers, int copies, long epoch) {
        List<List<Integer>> wanted = wanted(chains, servers, Math.min(copies, servers.length));
        Chain[] next = chains.clone();
        for (int seat = 0; seat < chains.length; seat++) {
            next[seat] = step(chains[seat], wanted.get(seat), epoch);
        }
        return next;
    }

    private static Chain step(Chain chain, List<Integer> wanted, long epoch) {
        if (chain.whole() < chain.servers().length) {
            return chain;
        }
        for (int server : wanted) {
            if (!chain.has(server)) {
                int count = chain.servers().length;
                int[] servers = Arrays.copyOf(chain.servers(), count + 1);
                long[] since = Arrays.copyOf(chain.since(), count + 1);
                servers[count] = server;
                since[count] = epoch;
                return new Chain(servers, since, count);
            }
        }
        for (int server : chain.servers()) {
            if (!wanted.contains(server)) {
                return without(chain, server);
            }
        }
        return chain;
    }

    /// By seat, the servers that are to hold it: those that do, as far as they can, and others of the least load.
    private static List<List<Integer>> wanted(Chain[] chains, int[] servers, int copies) {
        List<List<Integer>> wanted = new ArrayList<>();
        for (Chain chain : chains) {
            List<Integer> kept = IntStream.of(chain.servers())
                    .filter(server -> IntStream.of(servers).anyMatch(other -> other == server))
                    .limit(copies)
                    .boxed()
                    .collect(ArrayList::new, List::add, List::addAll);
            wanted.add(kept);
        }
        for (List<Integer> members : wanted) {
            while (members.size() < copies) {
                members.add(IntStream.of(servers)
                        .filter(server -> !members.contains(server))
                        .boxed()
                        .min(Comparator.comparingLong((Integer server) -> load(wanted, server)))
                        .orElseThrow());
            }
        }
        even(wanted, servers);
        return wanted;
    }

    /// Moves seats from the server that holds most to the one that holds least, while that helps.
    private static void even(List<List<Integer>> wanted, int[] servers) {
        while (true) {
            Comparator<Integer> byLoad = Comparator.comparingLong(server -> load(wanted, server));
            int least = IntStream.of(servers).boxed().min(byLoad).orElseThrow();
            int most = IntStream.of(servers).boxed().max(byLoad).orElseThrow();
            List<Integer> moved = wanted.stream()
                    .filter(members -> members.contains(most) && !members.contains(least))
                    .findFirst()
                    .orElse(null);
            if (moved == null || load(wanted, most) - load(wanted, least) < 2) {
                return;
            }
            moved.set(moved.indexOf(most), least);
        }
    }

    private static long load(List<List<Integer>> wanted, int server) {
        return wanted.stream().filter(members -> members.contains(server)).count();
    }
}
