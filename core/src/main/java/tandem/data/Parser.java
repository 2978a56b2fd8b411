package tandem.data;

/// Turns lines into rows. Holds scratch space: one a thread.
interface Parser {

    /// Reads the line that starts at `text[from]` and ends with a line feed, adding at most one row to
    /// `into` at `place`. Returns where the next line starts.
    int line(byte[] text, int from, long place, Rows into) throws BadLine;

    /// Called before the lines of a chunk are read.
    default void begin(Chunk chunk) {}

    /// Reads all lines of a chunk, adding its rows to `into`.
    default void parse(Chunk chunk, Rows into, Faults faults) throws BadData {
        begin(chunk);
        long line = chunk.firstLine;
        for (int at = chunk.from; at < chunk.to; line++) {
            long place = chunk.place(line);
            try {
                at = line(chunk.bytes, at, place, into);
            } catch (BadLine e) {
                into.undo();
                faults.add(chunk.file, line, place, e.getMessage());
                at = nextLine(chunk.bytes, at);
            }
        }
    }

    static int nextLine(byte[] text, int at) {
        while (text[at] != '\n') {
            at++;
        }
        return at + 1;
    }
}
