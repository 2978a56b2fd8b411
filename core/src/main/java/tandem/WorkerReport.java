package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tandem.client.Session;
import tandem.client.Staleness;
import tandem.cluster.Traffic;
import tandem.filter.Tally;
import tandem.report.Report;
import tandem.worker.BlockLoop;
import tandem.worker.DualLoop;
import tandem.worker.GradientLoop;
import tandem.worker.Learned;

/// What a worker says of itself after a pass: all it has learned so far, the clock it reached, how many of its
/// reads were 0, 1, 2 … clocks behind by table, the bytes that travelled, and what each filter made of them.
///
/// @param life    which one of those that have worked under its number
/// @param over    whether the pass is worked through, not left in the middle
/// @param streams how far its streams have come
/// @param found   what its solver wanted to know besides; null if nothing
record WorkerReport(
        int life,
        Learned learned,
        boolean over,
        List<Position> streams,
        long clock,
        Map<Integer, long[]> staleReads,
        Traffic traffic,
        Map<String, Tally.Bytes> filtered,
        Found found) {

    /// What the examples of each stream sum up to, as their solver asked.
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Blocks.class, name = "blocks"),
        @JsonSubTypes.Type(value = Clocks.class, name = "clocks"),
        @JsonSubTypes.Type(value = Dual.class, name = "dual"),
        @JsonSubTypes.Type(value = Vectors.class, name = "vectors")
    })
    sealed interface Found {}

    /// After a round over blocks.
    record Blocks(List<BlockLoop.Sums> sums) implements Found {}

    /// After a round of clocks.
    ///
    /// @param sums by stream, as [tandem.worker.ProximalLoop.Sums] has them
    record Clocks(Map<Integer, double[]> sums) implements Found {}

    /// After a round of dual coordinate ascent.
    record Dual(List<DualLoop.Sums> sums) implements Found {}

    /// Where vectors are.
    ///
    /// @param seen    by stream, what it has seen of a point that workers looked at
    /// @param figures by stream, what it was asked of the line to it, or of a bound
    record Vectors(Map<Integer, GradientLoop.Seen> seen, Map<Integer, double[]> figures) implements Found {}

    /// How far a stream has come: the number of its last update, and the clock reached with that.
    record Position(int stream, long sequence, long clock) {}

    static WorkerReport of(int life, Learned learned, boolean over, Session session, Traffic traffic) {
        int[] streams = session.streams();
        return new WorkerReport(
                life,
                learned,
                over,
                IntStream.of(streams)
                        .mapToObj(stream -> new Position(stream, session.sent(stream), session.clock(stream)))
                        .toList(),
                streams.length == 0 ? 0 : session.clock(streams[0]),
                session.staleness().histograms(),
                traffic,
                session.filtered(),
                null);
    }

    /// The same with what was found.
    WorkerReport with(Found other) {
        return new WorkerReport(life, learned, over, streams, clock, staleReads, traffic, filtered, other);
    }

    /// The same with what was found after a round over blocks, and what was left out.
    WorkerReport withBlocks(List<BlockLoop.Sums> byStream) {
        Map<String, Tally.Bytes> bytes = new TreeMap<>(filtered);
        bytes.put(
                "kkt",
                new Tally.Bytes(
                        byStream.stream().mapToLong(BlockLoop.Sums::whole).sum(),
                        byStream.stream().mapToLong(BlockLoop.Sums::sent).sum()));
        return new WorkerReport(
                life, learned, over, streams, clock, staleReads, traffic, Map.copyOf(bytes), new Blocks(byStream));
    }

    /// What was found by one who was asked for that.
    <F extends Found> F found(Class<F> kind) {
        if (!kind.isInstance(found)) {
            throw new IllegalArgumentException("a worker told " + found + ", which is not what it was asked for");
        }
        return kind.cast(found);
    }

    /// The same with so many examples less.
    WorkerReport less(long examples) {
        Learned fewer = learned.minus(new Learned(examples, 0, 0, 0, 0));
        return new WorkerReport(life, fewer, over, streams, clock, staleReads, traffic, filtered, found);
    }

    /// What two who worked under one number, one after the other, did together.
    WorkerReport plus(WorkerReport next) {
        Map<Integer, long[]> stale = new TreeMap<>(staleReads);
        next.staleReads.forEach(
                (table, counts) -> stale.merge(table, counts, (one, other) -> Staleness.sum(List.of(one, other))));
        Map<String, Tally.Bytes> bytes = new TreeMap<>(filtered);
        next.filtered.forEach((name, more) -> bytes.merge(name, more, Tally.Bytes::plus));
        return new WorkerReport(
                next.life,
                learned.plus(next.learned),
                next.over,
                next.streams,
                Math.max(clock, next.clock),
                stale,
                traffic.plus(next.traffic),
                bytes,
                next.found);
    }

    Report.Worker worker() {
        return new Report.Worker(
                learned.computeSeconds(), learned.waitSeconds(), learned.communicationSeconds(), clock);
    }

    /// What all workers sent and received.
    static Report.Bytes bytes(List<WorkerReport> workers) {
        Traffic all = workers.stream().map(WorkerReport::traffic).reduce(Traffic.NONE, Traffic::plus);
        return new Report.Bytes(all.sent(), all.received(), all.local(), byFilter(workers));
    }

    private static Map<String, Report.Filtered> byFilter(List<WorkerReport> workers) {
        Map<String, Tally.Bytes> sums = new TreeMap<>();
        workers.forEach(worker -> worker.filtered.forEach((name, bytes) -> sums.merge(name, bytes, Tally.Bytes::plus)));
        Map<String, Report.Filtered> all = new TreeMap<>();
        sums.forEach((name, bytes) -> all.put(name, new Report.Filtered(bytes.before(), bytes.after())));
        return all;
    }

    /// The staleness of all reads of all workers, and by table.
    ///
    /// @param tables the names of the tables
    static Report.Staleness staleness(List<WorkerReport> workers, List<String> tables) {
        Map<String, Report.Behind> byTable = new TreeMap<>();
        List<long[]> all = new ArrayList<>();
        for (int table = 0; table < tables.size(); table++) {
            int number = table;
            long[] counts = Staleness.sum(workers.stream()
                    .map(worker -> worker.staleReads.getOrDefault(number, new long[0]))
                    .toList());
            if (counts.length > 0) {
                byTable.put(tables.get(table), Report.Behind.of(counts));
                all.add(counts);
            }
        }
        return new Report.Staleness(Report.Behind.of(Staleness.sum(all)), byTable);
    }
}
