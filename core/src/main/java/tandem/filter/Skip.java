package tandem.filter;

import tandem.math.Hash;

/// Leaves out rows at random, each with the same probability, and makes those that travel larger, so that on average
/// nothing changes. Which rows is decided by the request and the key alone.
///
/// @param share the probability of being left out; 0 to leave out none
public record Skip(double share) implements Choice {

    public Skip {
        if (!(share >= 0 && share < 1)) {
            throw new IllegalArgumentException(
                    "rows are skipped with probability " + share + "; use 0 to less than 1, such as 0.1");
        }
    }

    @Override
    public void choose(Rows rows, Moment moment) {
        for (int row = 0; share > 0 && row < rows.count(); row++) {
            if (rows.isLeftOut(row)) {
                continue;
            }
            if (Hash.fraction(Hash.number(moment.chance(), rows.key(row))) < share) {
                rows.leaveOut(row);
            } else {
                for (int column = 0; column < rows.width(); column++) {
                    rows.set(row, column, rows.at(row, column) / (1 - share));
                }
            }
        }
    }
}
