package tandem.data;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Arrays;

/// What a cache of columns says about itself.
///
/// @param made      what it was made from and how
/// @param rows      how many rows there are
/// @param rowPieces how many pieces have labels and weights; they come first
/// @param columns   how many columns begin in each of the others; 0 for another stretch of the one before
/// @param blocks    how many of these belong to each block
@JsonIgnoreProperties(ignoreUnknown = true)
record ColumnHeader(Made made, int rows, int rowPieces, int[] columns, int[] blocks) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /// What decides what columns hold and how they are cut.
    ///
    /// @param data   the fingerprint of the batches
    /// @param firsts a hash of the first keys of all blocks
    record Made(String data, int stream, int streams, int blocks, long firsts) {}

    byte[] bytes() {
        try {
            return JSON.writeValueAsBytes(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /// @param pieces how many the file has
    static ColumnHeader of(byte[] bytes, int pieces) throws IOException {
        ColumnHeader header = JSON.readValue(bytes, ColumnHeader.class);
        if (header == null || header.made == null || header.columns == null || header.blocks == null) {
            throw new IOException("the header is incomplete");
        }
        if (header.rows < 0
                || header.rowPieces < 0
                || header.rowPieces + (long) header.columns.length != pieces
                || !addUp(header.columns, 0, Integer.MAX_VALUE - 8)
                || !addUp(header.blocks, 0, header.columns.length)
                || Arrays.stream(header.blocks).asLongStream().sum() != header.columns.length
                || header.blocks.length != header.made.blocks
                || !header.blocksBeginWithColumns()) {
            throw new IOException("the numbers of the header contradict each other");
        }
        return header;
    }

    private boolean blocksBeginWithColumns() {
        int first = 0;
        for (int pieces : blocks) {
            if (pieces > 0 && columns[first] == 0) {
                return false;
            }
            first += pieces;
        }
        return true;
    }

    private static boolean addUp(int[] numbers, int least, long most) {
        return Arrays.stream(numbers).allMatch(n -> n >= least)
                && Arrays.stream(numbers).asLongStream().sum() <= most;
    }
}
