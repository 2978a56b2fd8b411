package tandem.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicLong;

/// Weights of rows in a file of their own: one a line, in the order of the rows. Read alongside the data, so it is
/// never in memory as a whole. The caller sees to it that one thread at a time is here.
final class WeightFile implements Closeable {

    private static final int LONGEST = 100;

    private final Source source;
    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private final byte[] word = new byte[LONGEST];
    private int at;
    private int filled;
    private long line;

    WeightFile(Source source) throws IOException {
        this.source = source;
        in = source.open(new AtomicLong());
        filled = Math.max(0, in.readNBytes(buffer, 0, buffer.length));
        boolean marked =
                filled >= 3 && buffer[0] == (byte) 0xef && buffer[1] == (byte) 0xbb && buffer[2] == (byte) 0xbf;
        at = marked ? 3 : 0;
    }

    /// Gives the rows of `chunk`, which `parser` will read, the next weights.
    void fill(Chunk chunk, Parser parser) throws IOException {
        int rows = parser.rows(chunk);
        if (chunk.weights == null || chunk.weights.length < rows) {
            chunk.weights = new float[rows + rows / 4];
        }
        for (int row = 0; row < rows; row++) {
            int length = next();
            if (length < 0) {
                throw new BadData(source.name() + ":" + Math.max(1, line) + ": the weights end here, but the row at "
                        + chunk.file + ":" + lineOf(row, chunk, parser)
                        + " has none. Give one weight for each row, one a line");
            }
            chunk.weights[row] = weight(length);
        }
    }

    /// The line of row `row` of a chunk.
    private static long lineOf(int row, Chunk chunk, Parser parser) {
        long line = chunk.firstLine;
        int before = 0;
        for (int at = chunk.from; at < chunk.to; at = Parser.nextLine(chunk.bytes, at), line++) {
            if (parser.isRow(chunk.bytes, at) && before++ == row) {
                break;
            }
        }
        return line;
    }

    /// Refuses weights that are left when the data ends.
    void end() throws IOException {
        long rows = line;
        for (int length; (length = next()) >= 0; ) {
            if (length > 0) {
                throw new BadData(source.name() + ":" + line + ": a weight too many; the data has " + rows
                        + (rows == 1 ? " row" : " rows") + ". Give one weight for each row, one a line");
            }
        }
    }

    /// Takes the next line without blanks around it into `word`; returns its length, or -1 after the last.
    private int next() throws IOException {
        int length = 0;
        boolean any = false;
        while (true) {
            if (at == filled) {
                at = 0;
                filled = in.readNBytes(buffer, 0, buffer.length);
                if (filled == 0) {
                    break;
                }
            }
            byte c = buffer[at++];
            line += any ? 0 : 1;
            any = true;
            if (c == '\n') {
                break;
            }
            if (length == LONGEST) {
                throw wrong(length);
            }
            if (length > 0 || !isBlank(c)) {
                word[length++] = c;
            }
        }
        while (length > 0 && isBlank(word[length - 1])) {
            length--;
        }
        return any ? length : -1;
    }

    private static boolean isBlank(byte c) {
        return c == ' ' || c == '\t' || c == '\r';
    }

    private float weight(int length) throws BadData {
        float weight = (float) Decimal.parse(word, 0, length);
        if (!(weight >= 0 && weight < Float.POSITIVE_INFINITY)) {
            throw wrong(length);
        }
        return weight;
    }

    private BadData wrong(int length) {
        return new BadData(source.name() + ":" + line + ": "
                + (length == 0 ? "the line is empty" : "the weight is " + BadLine.quote(word, 0, length))
                + "; a weight is a finite number ≥ 0. Write one for each row, one a line, 1 for a row that counts"
                + " like any other");
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
