package tandem.cluster;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tandem.wire.Address;
import tandem.wire.Lease;

/// Which worker works on which stream. Whenever a stream passes to another, or to another life of the same worker, its
/// lease gets a larger number, which fences off whoever had it before.
final class Leases {

    /// By stream.
    private final Address[] holders;

    private final long[] numbers;

    /// Whether whoever had it before is gone, and has not told what it did.
    private final boolean[] orphaned;

    /// By worker, the life that its leases are of.
    private final TreeMap<Address, Long> lives = new TreeMap<>();

    /// Deals the streams to workers 0, 1, 2 … in turn. Where they go on, somebody had each before.
    Leases(Cast cast) {
        holders = new Address[cast.streams()];
        numbers = new long[cast.streams()];
        orphaned = new boolean[cast.streams()];
        for (int stream = 0; stream < cast.streams(); stream++) {
            holders[stream] = Address.worker(stream % cast.workers());
            numbers[stream] = cast.goesOn() ? 2 : 1;
            orphaned[stream] = cast.goesOn();
        }
    }

    /// Goes on in the place of others.
    void restore(Decided before) {
        for (int stream = 0; stream < holders.length; stream++) {
            Decided.Tenure tenure = before.streams().get(stream);
            holders[stream] = tenure.holder();
            numbers[stream] = tenure.number();
            orphaned[stream] = tenure.orphaned();
        }
        before.members().forEach(life -> lives.put(life.node(), life.incarnation()));
    }

    /// By stream, who works on it.
    List<Decided.Tenure> tenures() {
        return IntStream.range(0, holders.length)
                .mapToObj(stream -> new Decided.Tenure(holders[stream], numbers[stream], orphaned[stream]))
                .toList();
    }

    /// The leases of a worker, ascending by stream.
    Lease[] of(Address worker) {
        return IntStream.range(0, holders.length)
                .filter(stream -> holders[stream].equals(worker))
                .mapToObj(stream -> new Lease(stream, numbers[stream], orphaned[stream]))
                .toArray(Lease[]::new);
    }

    boolean isHolder(Address worker) {
        return Arrays.asList(holders).contains(worker);
    }

    /// A worker is there in a life; if it was there in an earlier one, its streams were left by that.
    void live(Address worker, long life) {
        Long before = lives.put(worker, life);
        if (before != null && before < life) {
            for (int stream = 0; stream < holders.length; stream++) {
                if (holders[stream].equals(worker)) {
                    give(stream, worker, true);
                }
            }
        }
    }

    private void give(int stream, Address worker, boolean isOrphan) {
        holders[stream] = worker;
        numbers[stream]++;
        orphaned[stream] = isOrphan;
    }

    /// Gives the streams of those who are not among `workers` to those who are, and evens out who has how many.
    ///
    /// @param gone of those who are not, who has not told what it did
    /// @return whether anything changed
    boolean share(List<Address> workers, Address gone) {
        boolean changed = false;
        Comparator<Address> byLoad = Comparator.comparingLong(this::load);
        for (int stream = 0; stream < holders.length; stream++) {
            if (!workers.contains(holders[stream])) {
                give(stream, workers.stream().min(byLoad).orElseThrow(), holders[stream].equals(gone));
                changed = true;
            }
        }
        while (true) {
            Address least = workers.stream().min(byLoad).orElseThrow();
            Address most = workers.stream().max(byLoad).orElseThrow();
            if (load(most) - load(least) < 2) {
                return changed;
            }
            int last = holders.length - 1;
            while (!holders[last].equals(most)) {
                last--;
            }
            give(last, least, false);
            changed = true;
        }
    }

    private long load(Address worker) {
        return Arrays.stream(holders).filter(worker::equals).count();
    }
}
