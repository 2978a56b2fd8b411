package tandem.data;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/// Whatever the bytes, reading ends, with rows or a message about them.
class ReadersFuzz {

    private static final BadLines SKIP = new BadLines.Skip(Long.MAX_VALUE);

    // Used again, as readers do: to make them anew took most of the time.
    private static final Rows ROWS = new Rows();
    private static final Rows AGAIN = new Rows();
    private static final LabelReader UNREAD = new LabelReader(new LabelRule.Ignore(), name -> 0);

    /// Text beyond this is left out: so much has several lines already, and the fuzzer hears of every comparison.
    private static final int MOST = 256;

    private static Chunk chunk(byte[] bytes) {
        int length = Math.min(bytes.length, MOST);
        Chunk chunk = new Chunk(0);
        chunk.bytes = Arrays.copyOf(bytes, length + 1);
        chunk.bytes[length] = '\n';
        chunk.to = chunk.bytes.length;
        chunk.file = "fuzz";
        chunk.firstLine = 1;
        return chunk;
    }

    private static LabelReader labels() {
        return new LabelReader(new LabelRule.Collect(), new LabelBook()::write);
    }

    /// Parses twice, with and without weights, and packs.
    private static void read(Parser parser, byte[] bytes, boolean merge) throws IOException {
        Rows rows = ROWS;
        rows.clear();
        parser.parse(chunk(bytes), rows, new Faults(SKIP));
        Chunk weighed = chunk(bytes);
        weighed.weights = new float[parser.rows(weighed)];
        Rows again = AGAIN;
        again.clear();
        parser.parse(weighed, again, new Faults(SKIP));
        if (again.count != rows.count || again.entries != rows.entries) {
            throw new AssertionError("weights change what is a row");
        }
        Batch batch = new Batch();
        new Packer(64, merge).pack(rows, 0, rows.count, 0, batch);
        byte[] room = new byte[(int) BatchCodec.roomFor(batch)];
        int length = BatchCodec.encode(batch, room);
        Batch decoded = new Batch();
        BatchCodec.decode(room, length, decoded);
        if (!same(batch, decoded)) {
            throw new AssertionError("a batch does not come back as it was");
        }
    }

    private static boolean same(Batch a, Batch b) {
        int rows = a.rows();
        int entries = a.entries();
        int keys = a.keyCount();
        return rows == b.rows()
                && entries == b.entries()
                && keys == b.keyCount()
                && Arrays.equals(a.keys(), 0, keys, b.keys(), 0, keys)
                && Arrays.equals(a.starts(), 0, rows + 1, b.starts(), 0, rows + 1)
                && Arrays.equals(a.positions(), 0, entries, b.positions(), 0, entries)
                && Arrays.equals(a.values(), 0, entries, b.values(), 0, entries)
                && Arrays.equals(a.labels(), 0, rows, b.labels(), 0, rows)
                && Arrays.equals(a.weights(), 0, rows, b.weights(), 0, rows);
    }

    @FuzzTest(maxDuration = "30s")
    void libsvm(byte[] bytes) throws IOException {
        read(new LibSvmParser(labels()), bytes, false);
        read(new LibSvmParser(UNREAD), bytes, false);
    }

    @FuzzTest(maxDuration = "30s")
    void criteo(byte[] bytes) throws IOException {
        read(new CriteoParser(1, true, labels()), bytes, true);
    }

    @FuzzTest(maxDuration = "30s")
    void table(byte[] bytes) throws IOException {
        if (bytes.length == 0) {
            return;
        }
        byte delimiter = (byte) ",;\t|".charAt(bytes[0] & 3);
        byte[] text = Arrays.copyOfRange(bytes, 1, bytes.length);
        try {
            byte[] sample = Detect.wholeLines(text, Detect.FIRST_BYTES);
            Schema schema = SchemaFinder.find("fuzz", sample.clone(), delimiter, Declared.NONE, 1);
            Fields fields = new Fields();
            byte[] first = sample.clone();
            fields.split(first, 0, delimiter);
            TableParser.Layout layout = TableParser.layout(schema, new LabelRule.Collect(), fields.texts(first));
            read(new TableParser(schema, List.of(layout), labels()), text, true);
        } catch (BadData | BadLine | IllegalArgumentException expected) {
            // A message about the text.
        }
    }

    /// Weights of rows, in a file of their own, which may be compressed.
    @FuzzTest(maxDuration = "30s")
    void weights(byte[] bytes) {
        Chunk rows = chunk("1 1:1\n1 1:1\n1 1:1".getBytes(StandardCharsets.US_ASCII));
        try (WeightFile file = new WeightFile(Source.standardInput(new ByteArrayInputStream(bytes)))) {
            file.fill(rows, new LibSvmParser(labels()));
            file.end();
        } catch (IOException expected) {
            // A message about the weights.
        }
    }

    /// The checksum is made right, as someone who crafts a file would.
    @FuzzTest(maxDuration = "30s")
    void cachedBatch(byte[] bytes) {
        byte[] made = Arrays.copyOf(bytes, Math.max(4, bytes.length));
        CRC32C crc = new CRC32C();
        crc.update(made, 4, made.length - 4);
        ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
        Batch batch = new Batch();
        try {
            BatchCodec.decode(made, made.length, batch);
        } catch (IOException expected) {
            return;
        }
        Examples.unpack(batch);
    }

    /// The same for the places of features; the first byte says how many parts there are.
    @FuzzTest(maxDuration = "30s")
    void keyPlaces(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        byte[] made = Arrays.copyOfRange(bytes, 1, Math.max(9, bytes.length));
        CRC32C crc = new CRC32C();
        crc.update(made, 4, made.length - 4);
        ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putInt(0, (int) crc.getValue());
        KeyPlaces places;
        try {
            int features = (made.length - 8) / 9;
            KeyPlacesFile.Reader reader = new KeyPlacesFile.Reader(bytes[0], features);
            reader.add(made);
            places = reader.places();
        } catch (IOException expected) {
            return;
        }
        for (int number = 0; number < places.count(); number++) {
            long mixed = places.mixedAt(number);
            if (places.mixed(places.key(mixed)) != mixed || places.key(places.mixed(mixed)) != mixed) {
                throw new AssertionError("a key does not come back as it was");
            }
        }
    }

    /// The same for a piece of columns, which is the first of its file and has 100 rows.
    @FuzzTest(maxDuration = "30s")
    void cachedColumns(byte[] bytes) {
        byte[] made = Arrays.copyOf(bytes, Math.max(8, bytes.length));
        CRC32C crc = new CRC32C();
        ByteBuffer out = ByteBuffer.wrap(made).order(ByteOrder.LITTLE_ENDIAN).putInt(4, 0);
        crc.update(made, 4, made.length - 4);
        out.putInt(0, (int) crc.getValue());
        Columns columns;
        try {
            columns = ColumnCodec.decode(made, 0, 100);
        } catch (IOException expected) {
            return;
        }
        for (int j = 0; j < columns.count(); j++) {
            columns.dot(j, new double[100]);
            columns.add(j, 1, new double[100]);
        }
    }

    @FuzzTest(maxDuration = "30s")
    void columnHeader(byte[] bytes) {
        ColumnHeader header;
        try {
            header = ColumnHeader.of(bytes, 3);
        } catch (IOException expected) {
            return;
        }
        if (Arrays.stream(header.columns()).sum() < 0 || header.columns().length > 3) {
            throw new AssertionError("a header that contradicts itself");
        }
    }

    @FuzzTest(maxDuration = "30s")
    void cacheHeader(byte[] bytes) {
        try {
            CacheHeader.of(bytes);
        } catch (IOException expected) {
            // What a header that makes no sense is refused by.
        }
    }
}
