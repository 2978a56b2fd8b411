package tandem.data;

/// Turns lines into rows. Holds scratch space: one a thread.
interface Parser {

    /// Reads the line that starts at `text[from]` and ends with a line feed, adding at most one row to
    /// `into` at `place`. Returns where the next line starts.
    int line(byte[] text, int from, long place, Rows into) throws BadLine;

    /// Whether the line that starts at `text[at]` is a row, good or bad; others are passed over.
    boolean isRow(byte[] text, int at);

    /// Called before the lines of a chunk are read.
    default void begin(Chunk chunk) {}

    /// Reads all lines of a chunk, adding its rows to `into`.
    default void parse(Chunk chunk, Rows into, Faults faults) throws BadData {
        begin(chunk);
        long line = chunk.firstLine;
        int row = 0;
        for (int at = chunk.from; at < chunk.to; line++) {
            long place = chunk.place(line);
            float weight = chunk.weights != null && isRow(chunk.bytes, at) ? chunk.weights[row++] : 1;
            try {
                int next = line(chunk.bytes, at, place, into);
                if (weight != 1) {
                    into.weigh(weight);
                }
                at = next;
            } catch (BadLine e) {
                into.undo();
                faults.add(chunk.file, line, place, e.getMessage());
                at = nextLine(chunk.bytes, at);
            }
        }
    }

    /// How many rows, good or bad, a chunk holds.
    default int rows(Chunk chunk) {
        begin(chunk);
        int rows = 0;
        for (int at = chunk.from; at < chunk.to; at = nextLine(chunk.bytes, at)) {
            rows += isRow(chunk.bytes, at) ? 1 : 0;
        }
        return rows;
    }

    static int nextLine(byte[] text, int at) {
        while (text[at] != '\n') {
            at++;
        }
        return at + 1;
    }
}
