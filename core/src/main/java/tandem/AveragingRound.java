package tandem;

import java.io.IOException;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.report.Json;
import tandem.worker.Learned;
import tandem.worker.MinibatchTask;
import tandem.worker.SparseAverage;

/// A round of model averaging for [Hosts] that have the examples and nothing else: all are given the average, each goes
/// its steps on a batch of its own part, and what all add to the average is summed up. A round leaves nothing behind,
/// so that a host may do its part again, or another in its place.
public final class AveragingRound {

    private final Words words;

    /// @param round which of the pass
    private record Words(LinearJob job, int problem, int pass, int round) {}

    private AveragingRound(Words words) {
        this.words = words;
    }

    AveragingRound(LinearJob job, int problem, int pass, int round) {
        this(new Words(job, problem, pass, round));
    }

    /// The same in bytes, to go to a host.
    public byte[] bytes() {
        return Json.bytes(words);
    }

    public static AveragingRound of(byte[] bytes) {
        return new AveragingRound(Json.read(bytes, Words.class));
    }

    /// What a part of the examples adds to the average.
    ///
    /// @param part as [tandem.data.PartFile] opens it
    public byte[] share(byte[] average, Batches part) throws IOException {
        long start = System.nanoTime();
        Batch batch = new Batch();
        if (!part.pass(words.pass, words.round).next(batch)) {
            throw new IOException("the examples of this part end before round " + (words.round + 1)
                    + " of a pass; is the data being changed?");
        }
        MinibatchTask task = words.job.tasks(part).get(words.problem);
        boolean first = words.pass == 0 && words.round == 0;
        SparseAverage share = SparseAverage.of(average)
                .share(task, batch, first, words.job.terms().streams());
        return share.with(new Learned(0, 0, 0, (System.nanoTime() - start) * 1e-9, 0))
                .bytes();
    }

    /// What two parts add to it together.
    public static byte[] sum(byte[] one, byte[] other) {
        return SparseAverage.of(one).plus(SparseAverage.of(other)).bytes();
    }
}
