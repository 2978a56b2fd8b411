package tandem.data;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import tandem.math.Mix;

/// Writes a cache in which each batch has rows of one part: part `p` has batches p, p + parts, p + 2·parts and so on.
/// Within a part rows keep their order, which was drawn by chance.
final class PartCache {

    private final CacheHeader header;
    private final int parts;
    private final Draft draft;
    private final Packer packer = new Packer(Long.SIZE, false);
    private final Batch packed = new Batch();

    /// By part: the batches written.
    private final int[] batches;

    private long[] starts = new long[1 << 10];
    private int[] lengths = new int[1 << 10];
    private int count;
    private long written = CacheFile.MAGIC_BYTES;

    private PartCache(CacheHeader header, int parts, Draft draft) {
        this.header = header;
        this.parts = parts;
        this.draft = draft;
        batches = new int[parts];
    }

    /// @param places which keys features have there
    static void write(Partition partition, CachedBatches data, KeyPlaces places, Path target) throws IOException {
        try (Draft draft = new Draft(target, "draft", FileChannel::open, Draft.PARTS)) {
            draft.open(false);
            draft.write(CacheFile.magic(), 0);
            new PartCache(data.header(), partition.parts(), draft).write(partition, data, places);
            draft.become(target);
        }
    }

    private void write(Partition partition, Batches data, KeyPlaces places) throws IOException {
        Rows[] gathered = new Rows[parts];
        Arrays.setAll(gathered, _ -> new Rows());
        Batch batch = new Batch();
        Batches.Pass pass = data.pass(0, 0);
        long seen = 0;
        while (pass.next(batch)) {
            long[] ids = new long[batch.keyCount()];
            Arrays.setAll(ids, k -> Mix.unmix(places.key(batch.keys()[k])));
            for (int row = 0; row < batch.rows(); row++) {
                int part = partition.part(seen++);
                Rows rows = gathered[part];
                for (int at = batch.starts()[row]; at < batch.starts()[row + 1]; at++) {
                    rows.add(ids[batch.positions()[at]], batch.values()[at]);
                }
                rows.end(batch.labels()[row], batch.weights()[row], 0);
                if (rows.count == header.batchRows()) {
                    write(rows, part);
                }
            }
        }
        for (int part = 0; part < parts; part++) {
            if (gathered[part].count > 0) {
                write(gathered[part], part);
            }
        }
        draft.write(
                CacheFile.end(
                        header.inParts(parts), Arrays.copyOf(starts, count), Arrays.copyOf(lengths, count), written),
                written);
    }

    private void write(Rows rows, int part) throws IOException {
        int number = Math.addExact(Math.multiplyExact(batches[part]++, parts), part);
        packer.pack(rows, 0, rows.count, number, packed);
        rows.clear();
        byte[] bytes = packed.scratch(Math.toIntExact(BatchCodec.roomFor(packed)));
        int length = BatchCodec.encode(packed, bytes);
        draft.write(ByteBuffer.wrap(bytes, 0, length), written);
        if (number >= starts.length) {
            starts = Arrays.copyOf(starts, Math.max(number + 1, 2 * starts.length));
            lengths = Arrays.copyOf(lengths, starts.length);
        }
        starts[number] = written;
        lengths[number] = length;
        written += length;
        count = Math.max(count, number + 1);
    }
}
