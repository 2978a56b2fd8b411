package tandem.data;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// The pieces of columns that are in memory, of all streams of a process together: as many as there is room for, and
/// of those that are too many the one goes that was used longest ago. What is expected is read ahead by other
/// threads ([ReadAhead]), into half of the room at most.
///
/// For many threads. A lock is held while pieces are looked up, not while they are read.
final class ColumnWindow {

    private final long limitBytes;

    /// In the order in which they were used.
    private final LinkedHashMap<Place, Slot> slots = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Source, List<Slot>> expected = new HashMap<>();
    private long bytes;
    private long expectedBytes;

    /// @param limitBytes what pieces may take; a single one may take more
    ColumnWindow(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Where pieces come from.
    interface Source {

        int bytes(int piece);

        Columns columns(int piece) throws IOException;
    }

    private record Place(Source source, int piece) {}

    private static final class Slot {
        final FutureTask<Columns> columns;
        final int bytes;

        /// Whether it is counted among those that are expected.
        boolean isExpected;

        Slot(Place place) {
            columns = new FutureTask<>(() -> place.source.columns(place.piece));
            bytes = place.source.bytes(place.piece);
        }
    }

    /// The columns of a piece.
    Columns columns(Source source, int piece) throws IOException {
        Place place = new Place(source, piece);
        Slot slot;
        synchronized (this) {
            slot = slot(place);
            expect(slot, false);
        }
        slot.columns.run(); // does nothing if it is read or being read
        try {
            return slot.columns.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while columns were read");
        } catch (ExecutionException e) {
            forget(place);
            return switch (e.getCause()) {
                case IOException io -> throw io;
                case OutOfMemoryError _ -> alone(place);
                case Throwable other -> throw new IOException(other);
            };
        }
    }

    /// These pieces come next; what was expected of the same source before counts no more.
    void expect(Source source, int[] pieces) {
        List<FutureTask<Columns>> reading = new ArrayList<>();
        synchronized (this) {
            List<Slot> next = expected.computeIfAbsent(source, _ -> new ArrayList<>());
            next.forEach(slot -> expect(slot, false));
            next.clear();
            for (int piece : pieces) {
                Place place = new Place(source, piece);
                if (expectedBytes + source.bytes(piece) > limitBytes / 2) {
                    break;
                }
                boolean there = slots.containsKey(place);
                Slot slot = slot(place);
                expect(slot, true);
                next.add(slot);
                if (!there) {
                    reading.add(slot.columns);
                }
            }
        }
        reading.forEach(ReadAhead::begin);
    }

    private void expect(Slot slot, boolean now) {
        expectedBytes += slot.isExpected == now ? 0 : now ? slot.bytes : -slot.bytes;
        slot.isExpected = now;
    }

    /// The slot of a piece, with room made for it if it is new.
    private Slot slot(Place place) {
        Slot slot = slots.get(place);
        if (slot == null) {
            slot = new Slot(place);
            bytes += slot.bytes;
            while (bytes > limitBytes && !slots.isEmpty()) {
                remove(slots.firstEntry().getKey());
            }
            slots.put(place, slot);
        }
        return slot;
    }

    private void remove(Place place) {
        Slot slot = slots.remove(place);
        if (slot != null) {
            expect(slot, false);
            bytes -= slot.bytes;
        }
    }

    private synchronized void forget(Place place) {
        remove(place);
    }

    /// A piece where memory is short for once: that is no damage, and all that is kept can be read again.
    private Columns alone(Place place) throws IOException {
        synchronized (this) {
            List.copyOf(slots.keySet()).forEach(this::remove);
            expected.clear();
        }
        return place.source.columns(place.piece);
    }

    /// Drops all pieces of a source.
    synchronized void forget(Source source) {
        expected.remove(source);
        slots.keySet().stream().filter(place -> place.source == source).toList().forEach(this::remove);
    }
}
