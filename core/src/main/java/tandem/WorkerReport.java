package tandem;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tandem.client.Session;
import tandem.cluster.Traffic;
import tandem.filter.Tally;
import tandem.report.Report;
import tandem.worker.Learned;

/// What a worker says of itself after a pass: all it has learned so far, the clock it reached, how many of its
/// reads were 0, 1, 2 … clocks behind, the bytes that travelled, and what each filter made of them.
record WorkerReport(
        Learned learned, long clock, long[] staleReads, Traffic traffic, Map<String, Tally.Bytes> filtered) {

    static WorkerReport of(Learned learned, Session session, Traffic traffic) {
        return new WorkerReport(
                learned,
                session.clock(session.streams()[0]),
                session.staleness().histogram(),
                traffic,
                session.filtered());
    }

    Report.Worker worker() {
        return new Report.Worker(learned.computeSeconds(), learned.waitSeconds(), clock);
    }

    /// What all workers sent and received.
    static Report.Bytes bytes(List<WorkerReport> workers) {
        Traffic all = workers.stream().map(WorkerReport::traffic).reduce(Traffic.NONE, Traffic::plus);
        return new Report.Bytes(all.sent(), all.received(), byFilter(workers));
    }

    private static Map<String, Report.Filtered> byFilter(List<WorkerReport> workers) {
        Map<String, Tally.Bytes> sums = new TreeMap<>();
        workers.forEach(worker -> worker.filtered.forEach((name, bytes) -> sums.merge(name, bytes, Tally.Bytes::plus)));
        Map<String, Report.Filtered> all = new TreeMap<>();
        sums.forEach((name, bytes) -> all.put(name, new Report.Filtered(bytes.before(), bytes.after())));
        return all;
    }

    /// The staleness of all reads of all workers.
    static Report.Staleness staleness(List<WorkerReport> workers) {
        long[] counts = new long
                [workers.stream()
                        .mapToInt(worker -> worker.staleReads.length)
                        .max()
                        .orElse(0)];
        for (WorkerReport worker : workers) {
            for (int behind = 0; behind < worker.staleReads.length; behind++) {
                counts[behind] += worker.staleReads[behind];
            }
        }
        double reads = Math.max(1, Arrays.stream(counts).sum());
        double sum = 0;
        double squares = 0;
        for (int behind = 0; behind < counts.length; behind++) {
            sum += (double) behind * counts[behind];
            squares += (double) behind * behind * counts[behind];
        }
        double mean = sum / reads;
        return new Report.Staleness(mean, squares / reads - mean * mean, counts.length - 1, counts);
    }
}
