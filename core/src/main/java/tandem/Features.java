package tandem;

import java.nio.file.Path;
import tandem.data.KeyPlaces;

/// Which keys the features of a run have while it trains: models, and examples as they are read, have their usual ones.
///
/// @param file where servers and readers of the run find the places; null if features have their usual keys
record Features(KeyPlaces places, Path file) {

    /// Wherever their usual keys are.
    static final Features ANYWHERE = new Features(KeyPlaces.NONE, null);

    /// Whether those of a part are held together.
    boolean arePlaced() {
        return !places.isNone();
    }
}
