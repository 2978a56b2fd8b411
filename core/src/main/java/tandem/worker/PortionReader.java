package tandem.worker;

import java.io.IOException;
import java.util.BitSet;
import java.util.PrimitiveIterator;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import tandem.data.Aside;
import tandem.data.Batch;
import tandem.data.BatchReader;
import tandem.data.Batches;
import tandem.data.KeyNumbers;
import tandem.data.Room;

/// The batches of portions, in their order, with their keys numbered as this worker has met them. Those that there is
/// room for stay in memory; the others are read anew each time, the next one while one is worked on.
final class PortionReader {

    private final Batches data;
    private final Room room;
    private final BatchReader reader = new BatchReader();

    /// Those that stay, by number.
    private final TreeMap<Long, PortionBatch> kept = new TreeMap<>();

    /// By batch that does not stay: where its scores are, which are asked for anew when others had it meanwhile.
    private final TreeMap<Long, Aside> asides = new TreeMap<>();

    /// The keys that this worker has met, and the batches that it has met the keys of.
    private KeyNumbers keys = new KeyNumbers();

    private final BitSet met = new BitSet();

    /// What is left of the portion in hand.
    private PrimitiveIterator.OfLong rest = LongStream.empty().iterator();

    /// @param room for the batches that stay
    PortionReader(Batches data, Room room) {
        this.data = data;
        this.room = room;
    }

    /// Forgets all keys, and so all batches.
    void forget() {
        keys = new KeyNumbers();
        met.clear();
        kept.values().forEach(batch -> room.giveBack(batch.bytes()));
        kept.clear();
    }

    KeyNumbers keys() {
        return keys;
    }

    /// Meets the keys of batches that it has not seen, so that all are known before one is worked on.
    void meet(GradientLoop.Portion portion) throws IOException {
        read(portion, number -> !met.get((int) number));
        for (Batch batch; (batch = reader.next()) != null; ) {
            keep(slotted(batch));
            met.set((int) batch.number());
        }
    }

    /// Begins with a portion.
    void begin(GradientLoop.Portion portion) throws IOException {
        rest = portion.batches().iterator();
        read(portion, number -> !kept.containsKey(number));
    }

    /// The next batch of the portion, which is good until another is asked for; null if there are no more.
    PortionBatch next() throws IOException {
        if (!rest.hasNext()) {
            return null;
        }
        PortionBatch stays = kept.get(rest.nextLong());
        return stays != null ? stays : keep(slotted(reader.next()));
    }

    /// Room for two scores of each row of a batch, beside it in memory or on disk.
    Aside aside(Batch batch) throws IOException {
        int count = 2 * batch.rows();
        if (kept.containsKey(batch.number())) {
            return Aside.held(count);
        }
        Aside known = asides.get(batch.number());
        if (known == null) {
            known = data.aside(count);
            asides.put(batch.number(), known);
        }
        return known;
    }

    /// The batches of a portion that are wanted, as the reader's next ones.
    private void read(GradientLoop.Portion portion, LongPredicate wanted) throws IOException {
        // What is kept changes on the way, so who is wanted is asked now.
        long[] numbers = portion.batches().filter(wanted).toArray();
        int[] at = {0};
        reader.begin(into -> {
            if (at[0] == numbers.length) {
                return false;
            }
            long number = numbers[at[0]++];
            return data.range(0, number, number + 1).next(into);
        });
    }

    private PortionBatch slotted(Batch batch) {
        int[] slots = new int[batch.keyCount()];
        for (int k = 0; k < slots.length; k++) {
            slots[k] = keys.number(batch.keys()[k]);
        }
        return new PortionBatch(batch, slots);
    }

    private PortionBatch keep(PortionBatch read) {
        PortionBatch stays = read.kept(room);
        if (stays == null) {
            return read;
        }
        kept.put(read.number(), stays);
        return stays;
    }
}
