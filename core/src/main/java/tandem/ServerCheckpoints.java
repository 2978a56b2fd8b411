package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tandem.client.Station;
import tandem.report.AtomicFile;
import tandem.server.Server;
import tandem.wire.Part;

/// A server's side of checkpoints: copies the rows for which it speaks at one moment, while nothing changes them, and
/// writes them to files when the workers have gone on. Rows that have not changed since the last checkpoint are neither
/// copied nor written: their file gets another name. One problem is trained after the other, so that is most of them
/// where there are many.
final class ServerCheckpoints {

    private final LinearJob job;
    private final Server server;
    private final Station station;

    /// What has been copied and not written.
    private List<Copied> copied = List.of();

    /// By file name: what was written last of a shard.
    private final Map<String, Written> written = new TreeMap<>();

    /// @param rows null if they are those of the last checkpoint
    private record Copied(ShardFile.Place place, long changes, List<Part> rows) {}

    private record Written(long generation, long changes, ShardFile file) {}

    ServerCheckpoints(LinearJob job, Server server, Station station) {
        this.job = job;
        this.server = server;
        this.station = station;
    }

    /// Copies what is led here, and says what that is.
    ///
    /// @param last the generation that was published last; 0 for none
    List<ShardFile.Place> copy(long last) {
        copied = station.turn((_, _) -> {
            List<Copied> all = new ArrayList<>();
            for (int table = 0; table < job.tables().size(); table++) {
                for (int shard : server.led(table)) {
                    all.add(copy(new ShardFile.Place(table, shard), last));
                }
            }
            return all;
        });
        return copied.stream().map(Copied::place).toList();
    }

    private Copied copy(ShardFile.Place place, long last) {
        long changes = server.changes(place.table(), place.shard());
        Written before = written.get(place.file());
        boolean same = before != null && before.generation == last && before.changes == changes;
        return new Copied(place, changes, same ? null : server.copied(place.table(), place.shard()));
    }

    /// Writes what was copied into the draft of a generation.
    List<ShardFile> write(long generation) throws IOException {
        Path kept = Path.of(job.files().kept());
        Path draft = Generations.draft(kept, generation);
        List<ShardFile> files = new ArrayList<>();
        for (Copied one : copied) {
            ShardFile file =
                    one.rows == null ? again(one.place, kept, draft) : ShardFile.write(draft, one.place, one.rows);
            written.put(one.place.file(), new Written(generation, one.changes, file));
            files.add(file);
        }
        copied = List.of();
        return files;
    }

    private ShardFile again(ShardFile.Place place, Path kept, Path draft) throws IOException {
        Written before = written.get(place.file());
        Path file = place.in(Generations.place(kept, before.generation));
        try {
            Generations.link(file, draft);
        } catch (IOException e) {
            throw new IOException(file + " could not be used again: " + AtomicFile.reason(e), e);
        }
        return before.file;
    }

    /// Makes all rows that are here what they were when the checkpoint was made that the run goes on from.
    void restore() throws IOException {
        Path from = Path.of(job.files().from());
        for (int table = 0; table < job.tables().size(); table++) {
            int number = table;
            for (int shard : station.turn((_, _) -> server.shards(number))) {
                ShardFile.read(
                        from,
                        new ShardFile.Place(table, shard),
                        rows -> station.turn((_, _) -> {
                            server.put(rows);
                            return null;
                        }));
            }
        }
    }
}
