package tandem.spark;

import java.util.Iterator;
import java.util.NoSuchElementException;
import tandem.data.BadData;
import tandem.data.RowBuffer;

/// Examples as blocks of rows: takes what a source has, one after the other, and hands out a block whenever one is
/// full. What cannot be read ends them, with a block that says so: a task that fails would be tried again.
public final class Blocks<T> implements Iterator<byte[]> {

    private final Iterator<T> source;
    private final RowBuffer buffer;
    private final Reader<T> reader;
    private String complaint;
    private boolean over;

    /// Adds what something of the source holds to the buffer that it was made with.
    @FunctionalInterface
    public interface Reader<T> {
        void add(T one) throws BadData;
    }

    public Blocks(Iterator<T> source, RowBuffer buffer, Reader<T> reader) {
        this.source = source;
        this.buffer = buffer;
        this.reader = reader;
    }

    @Override
    public boolean hasNext() {
        try {
            while (!over && !buffer.isFull() && source.hasNext()) {
                reader.add(source.next());
            }
        } catch (BadData e) {
            over = true;
            complaint = e.getMessage();
        }
        return complaint != null || !buffer.isEmpty();
    }

    @Override
    public byte[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        if (complaint != null) {
            byte[] block = RowBuffer.complaint(complaint);
            complaint = null;
            return block;
        }
        return buffer.take();
    }
}
