package tandem.model;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Reads tensors out of a safetensors file whose header was checked against its size. One thread.
final class SafetensorsReader implements Closeable {

    private static final int LONGEST = Integer.MAX_VALUE - 8;

    private final FileChannel channel;
    private final long dataStart;
    private final Safetensors header;

    SafetensorsReader(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            long size = channel.size();
            if (size < 8) {
                throw new IOException("it is " + size + " bytes long; a safetensors file has at least 8");
            }
            ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            fill(length, 0);
            long headerBytes = length.flip().getLong();
            if (headerBytes < 0 || headerBytes > Math.min(size - 8, Safetensors.MAX_HEADER_BYTES)) {
                throw new IOException("its header claims a length of " + Long.toUnsignedString(headerBytes)
                        + " bytes; the file is " + size + " bytes long");
            }
            byte[] text = new byte[(int) headerBytes];
            fill(ByteBuffer.wrap(text), 8);
            dataStart = 8 + headerBytes;
            header = Safetensors.decode(text, size - dataStart);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    Safetensors header() {
        return header;
    }

    /// The elements of a U64 tensor.
    long[] longs(String name) throws IOException {
        Safetensors.Tensor tensor = header.tensor(name);
        if (tensor.type() != Safetensors.Type.U64) {
            throw new IOException("tensor " + name + " is of type " + tensor.type() + "; U64 was expected");
        }
        long[] values = new long[length(tensor)];
        int[] at = {0};
        scan(tensor, buffer -> values[at[0]++] = buffer.getLong());
        return values;
    }

    /// The elements of an F32 or F64 tensor.
    double[] doubles(String name) throws IOException {
        Safetensors.Tensor tensor = header.tensor(name);
        double[] values = new double[length(tensor)];
        int[] at = {0};
        switch (tensor.type()) {
            case F32 -> scan(tensor, buffer -> values[at[0]++] = buffer.getFloat());
            case F64 -> scan(tensor, buffer -> values[at[0]++] = buffer.getDouble());
            case U64 -> throw new IOException("tensor " + name + " is of type U64; F32 or F64 was expected");
        }
        return values;
    }

    /// A tensor as it lies in the file, of a type that `types` has, for as long as `arena` is open.
    MemorySegment map(String name, Arena arena, Safetensors.Type... types) throws IOException {
        Safetensors.Tensor tensor = header.tensor(name);
        if (!List.of(types).contains(tensor.type())) {
            throw new IOException("tensor " + name + " is of type " + tensor.type() + "; " + Arrays.toString(types)
                    + " was expected");
        }
        return channel.map(
                FileChannel.MapMode.READ_ONLY, dataStart + tensor.start(), tensor.end() - tensor.start(), arena);
    }

    private static int length(Safetensors.Tensor tensor) throws IOException {
        if (tensor.elements() > LONGEST) {
            throw new IOException("tensor " + tensor.name() + " has " + tensor.elements() + " elements; at most "
                    + LONGEST + " fit in an array. Save the model in smaller shards");
        }
        return (int) tensor.elements();
    }

    private void scan(Safetensors.Tensor tensor, Consumer<ByteBuffer> element) throws IOException {
        int room = (int) Math.min(1 << 18, tensor.end() - tensor.start());
        ByteBuffer buffer = ByteBuffer.allocate(room).order(ByteOrder.LITTLE_ENDIAN);
        for (long at = tensor.start(); at < tensor.end(); ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), tensor.end() - at));
            fill(buffer, dataStart + at);
            at += buffer.position();
            buffer.flip();
            while (buffer.hasRemaining()) {
                element.accept(buffer);
            }
        }
    }

    private void fill(ByteBuffer buffer, long at) throws IOException {
        while (buffer.hasRemaining()) {
            int read = channel.read(buffer, at);
            if (read < 0) {
                throw new EOFException("it ends at byte " + at);
            }
            at += read;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
