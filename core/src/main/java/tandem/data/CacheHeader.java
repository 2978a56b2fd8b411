package tandem.data;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tandem.math.Hash;

/// What a cache says about itself: what it was made from and how, and what it holds.
///
/// @param parts how many parts its rows were cut into, each batch being of one; 0 if they were not
@JsonIgnoreProperties(ignoreUnknown = true)
record CacheHeader(
        List<Input> inputs,
        String settings,
        long seed,
        int batchRows,
        long rows,
        Labels labels,
        Skipped skipped,
        int parts) {

    /// Of a cache whose rows are where chance has put them.
    CacheHeader(
            List<Input> inputs, String settings, long seed, int batchRows, long rows, Labels labels, Skipped skipped) {
        this(inputs, settings, seed, batchRows, rows, labels, skipped, 0);
    }

    /// The same rows in so many parts.
    CacheHeader inParts(int many) {
        return new CacheHeader(inputs, settings, seed, batchRows, rows, labels, skipped, many);
    }

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SAMPLE_BYTES = 1 << 16;

    /// A file as it was: if any of this differs, it has changed.
    record Input(String path, long bytes, long modifiedMillis, long head, long tail) {

        static Input of(Path path) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                long bytes = file.length();
                byte[] sample = new byte[(int) Math.min(bytes, SAMPLE_BYTES)];
                file.readFully(sample);
                long head = Hash.bytes(0, sample, 0, sample.length);
                file.seek(bytes - sample.length);
                file.readFully(sample);
                long tail = Hash.bytes(0, sample, 0, sample.length);
                long modified = Files.getLastModifiedTime(path).toMillis();
                return new Input(path.toAbsolutePath().toString(), bytes, modified, head, tail);
            }
        }
    }

    /// The files that `data` is made from: its sources, and the weights if it has any.
    static List<Input> inputs(Data data, List<Source> sources) throws IOException {
        List<Input> inputs = new ArrayList<>();
        for (Source source : sources) {
            if (source.isFile()) {
                inputs.add(Input.of(source.path()));
            }
        }
        if (data.weights() != null) {
            inputs.add(Input.of(Sources.file(data.weights()).path()));
        }
        return inputs;
    }

    byte[] bytes() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static CacheHeader of(byte[] bytes) throws IOException {
        CacheHeader header = JSON.readValue(bytes, CacheHeader.class);
        if (header.inputs == null || header.settings == null || header.labels == null || header.skipped == null) {
            throw new IOException("the header is incomplete");
        }
        return header;
    }

    /// Everything but the data that decides what a cache holds.
    static String settings(Data data) {
        return String.join(
                "; ",
                data.format().toString(),
                data.badLines().toString(),
                data.labelRule().toString(),
                "hash bits " + data.hashBits(),
                data.part().toString());
    }

    /// A name for the cache of `data`, the same every time.
    static String name(Data data, List<Source> sources) {
        StringBuilder all = new StringBuilder("version " + CacheFile.VERSION + "; seed " + data.seed() + "; "
                + data.batchRows() + " rows; " + settings(data));
        for (Source source : sources) {
            all.append("; ").append(source.isFile() ? source.path().toAbsolutePath() : "-");
        }
        if (data.weights() != null) {
            all.append("; weights ").append(Path.of(data.weights()).toAbsolutePath());
        }
        byte[] text = all.toString().getBytes(StandardCharsets.UTF_8);
        String first = sources.getFirst().isFile()
                ? sources.getFirst().path().getFileName().toString().replaceAll("[^A-Za-z0-9._-]", "_")
                : "standard-input";
        return first.substring(0, Math.min(60, first.length())) + "-"
                + String.format("%016x", Hash.bytes(0, text, 0, text.length)) + ".batches";
    }
}
