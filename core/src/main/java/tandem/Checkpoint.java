package tandem;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import tandem.report.AtomicFile;
import tandem.server.Table;
import tandem.solver.Ending;

/// A run that was left in the middle: which problems are finished, and how far the one in hand is.
///
/// The file is written whole under another name, forced to disk and then renamed, so the one that is
/// there is always complete; a checksum at its end finds damage.
///
/// @param settings what the run was told to do; another run cannot go on from here
record Checkpoint(String settings, List<Finished> finished, Progress progress) {

    static final int MAGIC = 0x544e444d;
    static final int VERSION = 3;
    private static final int PIECE = 1 << 16;

    /// @param pass        the pass in hand
    /// @param batches     how many of its batches are learned
    /// @param table       null before the first batch
    /// @param intercept   null without one
    /// @param bestLoss    of the held-out examples so far
    /// @param best        the weights then, or null
    /// @param worsePasses passes since then
    record Progress(
            int pass, long batches, State table, State intercept, double bestLoss, Weights best, int worsePasses) {

        static final Progress START = new Progress(0, 0, null, null, Double.POSITIVE_INFINITY, null, 0);

        void restore(Table into, Table interceptInto) {
            if (table != null) {
                table.restore(into);
            }
            if (intercept != null) {
                intercept.restore(interceptInto);
            }
        }
    }

    /// The entries of a table: `columns` floats for each key.
    ///
    /// @param pushes those that its rule has seen
    record State(long[] keys, float[] entries, long pushes) {

        private static final long STRIDE = 2_654_435_761L;

        static State of(Table table) {
            int size = Math.toIntExact(table.size());
            int columns = table.rule().columns();
            long[] keys = new long[size];
            float[] entries = new float[Math.multiplyExact(size, columns)];
            int[] next = {0};
            table.forEach((key, from, at) -> {
                keys[next[0]] = key;
                System.arraycopy(from, at, entries, next[0]++ * columns, columns);
            });
            return new State(keys, entries, table.pushes());
        }

        void restore(Table table) {
            int columns = table.rule().columns();
            if (entries.length != (long) keys.length * columns) {
                throw new IllegalArgumentException("the checkpoint has " + entries.length + " numbers for "
                        + keys.length + " features, and this solver keeps " + columns
                        + " of each; remove the checkpoint and train anew");
            }
            table.restore(pushes);
            for (long step = 0; step < keys.length; step++) {
                // Keys stand almost in order, in which they would crowd at the front of an index that grows. Steps of a
                // prime larger than any array visit all of them, one here, one there.
                int k = (int) (step * STRIDE % keys.length);
                table.restore(keys[k], Arrays.copyOfRange(entries, k * columns, (k + 1) * columns));
            }
        }
    }

    void write(Path file) throws IOException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            AtomicFile.write(file, this::write);
        } catch (IOException e) {
            throw new IOException(
                    "the checkpoint " + file + " could not be written: " + e.getMessage()
                            + ". Make room, or name another place with --checkpoint",
                    e);
        }
    }

    private void write(OutputStream raw) throws IOException {
        CheckedOutputStream sum = new CheckedOutputStream(raw, new CRC32C());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(sum, PIECE));
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        byte[] text = settings.getBytes(StandardCharsets.UTF_8);
        out.writeInt(text.length);
        out.write(text);
        out.writeInt(finished.size());
        for (Finished problem : finished) {
            write(out, problem.weights());
            write(out, problem.proof());
        }
        out.writeInt(progress.pass());
        out.writeLong(progress.batches());
        write(out, progress.table());
        write(out, progress.intercept());
        out.writeDouble(progress.bestLoss());
        out.writeInt(progress.worsePasses());
        write(out, progress.best());
        out.flush();
        out.writeLong(sum.getChecksum().getValue());
        out.flush();
    }

    static Checkpoint read(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is no checkpoint " + file + " to go on from; train without --resume");
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), PIECE)) {
            return read(in, Files.size(file));
        } catch (IOException e) {
            throw new IOException(
                    "the checkpoint " + file + " cannot be used: " + e.getMessage()
                            + ". It is damaged or of another version; remove it and train anew",
                    e);
        }
    }

    /// What `raw` holds, which is so many bytes long.
    static Checkpoint read(InputStream raw, long bytes) throws IOException {
        CheckedInputStream sum = new CheckedInputStream(raw, new CRC32C());
        DataInputStream in = new DataInputStream(sum);
        if (in.readInt() != MAGIC || in.readInt() != VERSION) {
            throw new IOException("it is not a checkpoint of this version");
        }
        byte[] text = new byte[count(in, 1, bytes)];
        in.readFully(text);
        int done = count(in, 1, bytes);
        List<Finished> finished = new ArrayList<>();
        for (int k = 0; k < done; k++) {
            finished.add(new Finished(weights(in, bytes), proof(in)));
        }
        int pass = in.readInt();
        long batches = in.readLong();
        State table = state(in, bytes);
        State intercept = state(in, bytes);
        double bestLoss = in.readDouble();
        int worse = in.readInt();
        Weights best = weights(in, bytes);
        long expected = sum.getChecksum().getValue();
        if (in.readLong() != expected) {
            throw new IOException("its checksum is wrong");
        }
        return new Checkpoint(
                new String(text, StandardCharsets.UTF_8),
                finished,
                new Progress(pass, batches, table, intercept, bestLoss, best, worse));
    }

    private static void write(DataOutputStream out, Finished.Proof proof) throws IOException {
        out.writeBoolean(proof != null);
        if (proof != null) {
            out.writeDouble(proof.objective());
            out.writeDouble(proof.residual());
            out.writeDouble(proof.dualityGap());
            out.writeUTF(proof.ending().name());
        }
    }

    private static Finished.Proof proof(DataInputStream in) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        double objective = in.readDouble();
        double residual = in.readDouble();
        double gap = in.readDouble();
        String ending = in.readUTF();
        for (Ending known : Ending.values()) {
            if (known.name().equals(ending)) {
                return new Finished.Proof(objective, residual, gap, known);
            }
        }
        throw new IOException("it names an ending, " + ending + ", that is not known");
    }

    private static void write(DataOutputStream out, State state) throws IOException {
        out.writeBoolean(state != null);
        if (state != null) {
            out.writeInt(state.keys().length);
            out.writeInt(state.entries().length);
            out.writeLong(state.pushes());
            for (long key : state.keys()) {
                out.writeLong(key);
            }
            for (float entry : state.entries()) {
                out.writeFloat(entry);
            }
        }
    }

    private static State state(DataInputStream in, long bytes) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        long[] keys = new long[count(in, Long.BYTES, bytes)];
        float[] entries = new float[count(in, Float.BYTES, bytes)];
        long pushes = in.readLong();
        for (int k = 0; k < keys.length; k++) {
            keys[k] = in.readLong();
        }
        for (int e = 0; e < entries.length; e++) {
            entries[e] = in.readFloat();
        }
        return new State(keys, entries, pushes);
    }

    private static void write(DataOutputStream out, Weights weights) throws IOException {
        out.writeBoolean(weights != null);
        if (weights != null) {
            out.writeInt(weights.ids().length);
            for (long key : weights.ids()) {
                out.writeLong(key);
            }
            for (double value : weights.values()) {
                out.writeDouble(value);
            }
            out.writeDouble(weights.intercept());
        }
    }

    private static Weights weights(DataInputStream in, long bytes) throws IOException {
        if (!in.readBoolean()) {
            return null;
        }
        int size = count(in, 2 * Long.BYTES, bytes);
        long[] keys = new long[size];
        double[] values = new double[size];
        for (int k = 0; k < size; k++) {
            keys[k] = in.readLong();
        }
        for (int k = 0; k < size; k++) {
            values[k] = in.readDouble();
        }
        return new Weights(keys, values, in.readDouble());
    }

    /// A count of things of `each` bytes, refused before anything is allocated if the file cannot hold them.
    private static int count(DataInputStream in, int each, long bytes) throws IOException {
        int count = in.readInt();
        if (count < 0 || (long) count * each > bytes) {
            throw new IOException("it claims " + count + " entries in " + bytes + " bytes");
        }
        return count;
    }
}
