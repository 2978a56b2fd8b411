package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tandem.cluster.Decided;
import tandem.cluster.Journal;
import tandem.data.Partition;
import tandem.report.AtomicFile;
import tandem.report.Json;

/// What the coordinator of a run writes down in the directory of the run, so that another can go on in its place: what
/// the work is, which nodes there are and what each is to do, and how far training has come. Each file is there whole,
/// as it was written last.
final class Logbook implements Journal {

    /// Of a run that ends with its coordinator.
    static final Logbook NONE = new Logbook(null);

    private static final String CUT = "cut.json";
    private static final String WORK = "job.json";
    private static final String DECIDED = "decided.json";
    private static final String MILESTONE = "milestone.json";

    private final Path directory;

    Logbook(Path directory) {
        this.directory = directory;
    }

    /// The file for other nodes that says what the work is.
    static Path work(Path directory) {
        return directory.resolve(WORK);
    }

    /// What the work is; null if nobody has written that down.
    NodeProcess.Work work() throws IOException {
        return read(WORK, NodeProcess.Work.class);
    }

    /// What came of cutting the examples into parts; null if that has not been done.
    Partition.Figures cut() throws IOException {
        return read(CUT, Partition.Figures.class);
    }

    /// What the coordinator before has decided; null if there was none.
    Decided decided() throws IOException {
        return read(DECIDED, Decided.class);
    }

    /// How far training has come; null if it has not begun.
    Milestone milestone() throws IOException {
        return read(MILESTONE, Milestone.class);
    }

    @Override
    public void keep(Decided decided) {
        try {
            write(DECIDED, decided);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void keep(Partition.Figures cut) throws IOException {
        write(CUT, cut);
    }

    void keep(Milestone milestone) throws IOException {
        write(MILESTONE, milestone);
    }

    private <T> T read(String name, Class<T> type) throws IOException {
        return directory == null || !Files.exists(directory.resolve(name))
                ? null
                : Json.read(Files.readAllBytes(directory.resolve(name)), type);
    }

    private void write(String name, Object what) throws IOException {
        if (directory != null) {
            AtomicFile.write(directory.resolve(name), out -> out.write(Json.bytes(what)));
        }
    }
}
