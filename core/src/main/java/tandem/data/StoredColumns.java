package tandem.data;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.function.Consumer;

/// Columns in a file, of which a few pieces are in memory at a time ([ColumnWindow]).
final class StoredColumns implements BlockColumns, ColumnWindow.Source {

    /// Blocks that are looked ahead.
    private static final int AHEAD = 16;

    private final ColumnWindow window;
    private final Repair repair;
    private final Consumer<BlockColumns> closing;
    private final AsideFile asideFile;
    private final Aside[] asides = new Aside[2];
    private volatile ColumnFile file;

    /// By piece: the first column that begins there or later; one more at the end.
    private final int[] firsts;

    /// By block: its first piece; one more at the end.
    private final int[] pieces;

    /// Makes up for a file in which something is wrong.
    @FunctionalInterface
    interface Repair {

        /// The same file, sound; an [IOException] says why there is none.
        ColumnFile repaired(ColumnFile damaged, String what) throws IOException;
    }

    StoredColumns(
            ColumnFile file, ColumnWindow window, AsideFile asideFile, Repair repair, Consumer<BlockColumns> closing) {
        this.file = file;
        this.window = window;
        this.asideFile = asideFile;
        this.repair = repair;
        this.closing = closing;
        firsts = sums(file.header().columns());
        pieces = sums(file.header().blocks());
    }

    private static int[] sums(int[] numbers) {
        int[] sums = new int[numbers.length + 1];
        for (int k = 0; k < numbers.length; k++) {
            sums[k + 1] = sums[k] + numbers[k];
        }
        return sums;
    }

    @Override
    public int rows() {
        return file.header().rows();
    }

    @Override
    public int count() {
        return firsts[firsts.length - 1];
    }

    @Override
    public int first(int block) {
        return firsts[pieces[block]];
    }

    @Override
    public double[] labels() throws IOException {
        double[] all = new double[rows()];
        forEachRows((first, some) -> System.arraycopy(some.labels(), 0, all, first, some.rows()));
        return all;
    }

    @Override
    public float[] weights() throws IOException {
        float[] all = new float[rows()];
        forEachRows((first, some) -> System.arraycopy(some.weights(), 0, all, first, some.rows()));
        return all;
    }

    @Override
    public Aside aside(int which) throws IOException {
        if (asides[which] == null) {
            asides[which] = asideFile.room(rows());
        }
        return asides[which];
    }

    private void forEachRows(ColumnFile.RowWork work) throws IOException {
        try {
            file.forEachRows(work);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | IndexOutOfBoundsException e) {
            repair(e);
            file.forEachRows(work);
        }
    }

    @Override
    public Piece piece(int column) throws IOException {
        int piece = pieceOf(column);
        return new Piece(firsts[piece], read(piece));
    }

    @Override
    public Columns stretch(int column, int after) throws IOException {
        int piece = pieceOf(column) + after;
        // Pieces in which no column begins go on with the one before.
        return piece + 1 < firsts.length && firsts[piece + 1] == column + 1 ? read(piece) : null;
    }

    /// The piece in which a column begins.
    private int pieceOf(int column) {
        int low = 0;
        int high = firsts.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (firsts[middle] <= column) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private Columns read(int piece) throws IOException {
        try {
            return window.columns(this, piece);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            repair(e);
            return window.columns(this, piece);
        }
    }

    private void repair(Exception e) throws IOException {
        ColumnFile damaged = file;
        file = repair.repaired(damaged, e.getMessage());
        window.forget(this);
        damaged.close();
    }

    @Override
    public void expect(int[] blocks, int from) {
        int end = Math.min(blocks.length, from + AHEAD);
        int[] all = new int[64];
        int count = 0;
        for (int k = from; k < end; k++) {
            int after = blocks[k] + 1 < pieces.length ? pieces[blocks[k] + 1] : 0; // the intercept has none
            for (int piece = after == 0 ? 0 : pieces[blocks[k]]; piece < after; piece++) {
                all = count == all.length ? Arrays.copyOf(all, 2 * count) : all;
                all[count++] = piece;
            }
        }
        window.expect(this, Arrays.copyOf(all, count));
    }

    @Override
    public int bytes(int piece) {
        return file.bytes(piece);
    }

    /// For the window, on any thread.
    @Override
    public Columns columns(int piece) throws IOException {
        return file.columns(piece);
    }

    @Override
    public void close() throws IOException {
        window.forget(this);
        asideFile.close();
        file.close();
        closing.accept(this);
    }
}
