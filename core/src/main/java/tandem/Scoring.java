package tandem;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.model.BatchScorer;
import tandem.model.MappedModel;
import tandem.model.ModelCard;
import tandem.model.RangeFile;
import tandem.problem.Loss;

/// How good a model is on examples that are in many places: each scores its own, and what it found is put together.
///
/// @param directory where the files of the model are
public record Scoring(
        ModelCard card,
        double[] intercepts,
        List<RangeFile> files,
        String directory,
        String positive,
        double positiveWeight) {

    /// Scores the rows of blocks; what is found, as bytes.
    public byte[] share(Iterator<byte[]> blocks, PartTerms terms) throws IOException {
        try (BatchScorer scorer = MappedModel.open(card, intercepts, files, Path.of(directory), false)) {
            Evaluation.Share share = share(terms, scorer::scores);
            share.drain(PartFile.pass(blocks, terms));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            share.write(new DataOutputStream(bytes));
            return bytes.toByteArray();
        }
    }

    private Evaluation.Share share(PartTerms terms, Evaluation.RowScorer scorer) {
        Loss loss = Loss.named(card.loss());
        Classes classes =
                loss.binary() ? Classes.of(terms.labels(), positive) : Classes.regression(terms.labels(), loss);
        return new Evaluation.Share(loss, classes, positiveWeight, card.span(), scorer);
    }

    /// What all have found.
    public Evaluation together(List<byte[]> shares, PartTerms terms) throws IOException {
        Evaluation.Share all = null;
        for (byte[] bytes : shares) {
            Evaluation.Share one = share(terms, null);
            one.read(new DataInputStream(new ByteArrayInputStream(bytes)));
            if (all == null) {
                all = one;
            } else {
                all.add(one);
            }
        }
        return all.evaluation();
    }
}
