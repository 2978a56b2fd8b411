package tandem;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tandem.cluster.Heard;
import tandem.worker.Learned;

/// How far a pass has come, from what workers say as they go: what each has learned since the pass began, in each of
/// its lives, so that nothing is counted for the next that an earlier one has told of or died with.
final class PassProgress {

    private final Map<Heard.Whose, Learned> before = new HashMap<>();

    /// @param heard   what has been heard of workers until the pass began
    /// @param reports what they have told when earlier work was over, which may be more
    PassProgress(List<Heard> heard, Map<Heard.Whose, Learned> reports) {
        reports.forEach((whose, told) -> before.put(whose, told.byExample()));
        for (Heard one : heard) {
            before.merge(one.whose(), said(one), (told, said) -> told.examples() < said.examples() ? said : told);
        }
    }

    private static Learned said(Heard one) {
        return new Learned(one.examples(), one.examples(), one.loss(), 0, 0);
    }

    /// What has been learned since.
    Learned of(List<Heard> heard) {
        return heard.stream()
                .map(one -> said(one).minus(before.getOrDefault(one.whose(), Learned.ZERO)))
                .filter(more -> more.examples() > 0)
                .reduce(Learned.ZERO, Learned::plus);
    }
}
