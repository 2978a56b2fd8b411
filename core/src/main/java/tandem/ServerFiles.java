package tandem;

import java.io.IOException;
import java.nio.file.Path;
import tandem.data.KeyPlaces;

/// The only directories that the servers of a run write to and read from, and a file, told to them when they start.
///
/// @param draft  where they put the files of the model
/// @param start  the model whose weights they start with, or null
/// @param kept   where checkpoints of the run are kept, or null
/// @param from   the checkpoint that they go on from, or null
/// @param places which keys features have, or null if those are the usual ones
record ServerFiles(String draft, String start, String kept, String from, String places) {

    KeyPlaces keyPlaces() throws IOException {
        return places == null ? KeyPlaces.NONE : KeyPlaces.read(Path.of(places));
    }
}
