package tandem;

import java.util.List;
import java.util.stream.Stream;
import tandem.model.RangeFile;
import tandem.problem.Diverged;

/// The weights of one problem, as servers have put them into files: the files, and what they add up to.
///
/// @param proof what the solver vouches for; null after online training
record SavedProblem(List<RangeFile> files, WeightSums sums, double intercept, Finished.Proof proof) {

    SavedProblem {
        files = List.copyOf(files);
    }

    /// What one server has put into files.
    record Share(List<RangeFile> files, WeightSums sums) {

        Share plus(Share other) {
            return new Share(Stream.concat(files.stream(), other.files.stream()).toList(), sums.plus(other.sums));
        }
    }

    static SavedProblem of(List<Share> shares, double intercept) {
        Share all = shares.stream().reduce(new Share(List.of(), WeightSums.NONE), Share::plus);
        if (all.sums.strange() != null) {
            throw Diverged.weight(all.sums.strange());
        }
        return new SavedProblem(all.files, all.sums, intercept, null);
    }

    /// The same with an intercept that no server holds.
    SavedProblem withIntercept(double other) {
        return new SavedProblem(files, sums, other, proof);
    }

    SavedProblem with(Finished.Proof proof) {
        return new SavedProblem(files, sums, intercept, proof);
    }
}
