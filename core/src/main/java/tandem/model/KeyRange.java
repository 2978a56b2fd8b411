package tandem.model;

import java.util.Locale;

/// A range of mixed keys, as far as the next one begins, of one output: what one file of a model holds that many
/// write together.
///
/// @param output   which score its weights are for
/// @param number   which range of the model it is, from 1
/// @param of       how many ranges the model has
/// @param firstKey the least key it may have, as unsigned
public record KeyRange(int output, int number, int of, long firstKey) {

    public KeyRange {
        if (output < 0 || number < 1 || number > of) {
            throw new IllegalArgumentException("range " + number + " of " + of + " for output " + output
                    + "; ranges are numbered from 1, outputs from 0");
        }
    }

    /// The name of its file, made of nothing but numbers, so that it cannot lead out of a directory.
    String file() {
        return String.format(Locale.ROOT, "weights-%05d-of-%05d.safetensors", number, of);
    }
}
