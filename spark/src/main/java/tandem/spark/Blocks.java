package tandem.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import tandem.data.RowBuffer;

/// Examples as blocks of rows: takes what a source has, one after the other, and hands out a block whenever one is full.
final class Blocks<T> implements Iterator<byte[]> {

    private final Iterator<T> source;
    private final RowBuffer buffer;
    private final Reader<T> reader;

    /// Adds what something of the source holds to the buffer that it was made with.
    @FunctionalInterface
    interface Reader<T> {
        void add(T one) throws IOException;
    }

    Blocks(Iterator<T> source, RowBuffer buffer, Reader<T> reader) {
        this.source = source;
        this.buffer = buffer;
        this.reader = reader;
    }

    @Override
    public boolean hasNext() {
        try {
            while (!buffer.isFull() && source.hasNext()) {
                reader.add(source.next());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return !buffer.isEmpty();
    }

    @Override
    public byte[] next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return buffer.take();
    }
}
