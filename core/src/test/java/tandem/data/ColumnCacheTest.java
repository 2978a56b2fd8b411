package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColumnCacheTest {

    private static final long MUCH = 1L << 30;

    @TempDir
    Path directory;

    private Data data(int rows, long seed) throws IOException {
        return Data.of(Examples.write(directory, "a.svm", Examples.rows(rows, seed))
                        .toString())
                .withBatchRows(50);
    }

    private CachedBatches open(Data data, long heapBytes) throws IOException {
        Path path;
        try (Batches built = data.cache(directory.resolve("cache"), at -> {}, 1)) {
            path = built.file();
        }
        return new CachedBatches(path, CacheFile.open(path), Examples::unrepaired, heapBytes);
    }

    private static long[] firsts(int blocks) {
        return IntStream.range(0, blocks)
                .mapToLong(block -> block * Long.divideUnsigned(-1, blocks))
                .toArray();
    }

    private Path file() throws IOException {
        return files().getFirst();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cache"))) {
            return files.filter(file -> !file.toString().endsWith(".batches")).toList();
        }
    }

    /// Compares all numbers, columns in an order drawn by chance.
    private static void same(BlockColumns held, BlockColumns stored, int blocks) throws IOException {
        assertEquals(held.rows(), stored.rows());
        assertEquals(held.count(), stored.count());
        assertArrayEquals(held.labels(), stored.labels());
        assertArrayEquals(held.weights(), stored.weights());
        int[] order = IntStream.range(0, blocks)
                .map(block -> (block * 5 + 3) % blocks)
                .toArray();
        for (int block = 0; block <= blocks; block++) {
            assertEquals(held.first(block), stored.first(block));
        }
        for (int k = 0; k < blocks; k++) {
            stored.expect(order, k);
            for (int j = held.first(order[k]); j < held.first(order[k] + 1); j++) {
                same(j, held, stored);
            }
        }
        for (int j = held.count() - 1; j >= 0; j -= 3) {
            same(j, held, stored);
        }
    }

    /// One holds columns whole, the other may have those that are long in stretches.
    private static void same(int column, BlockColumns held, BlockColumns stored) throws IOException {
        Columns a = held.piece(column).columns();
        int j = column - held.piece(column).first();
        BlockColumns.Piece first = stored.piece(column);
        assertTrue(first.has(column));
        Columns b = first.columns();
        int k = column - first.first();
        int from = a.starts()[j];
        for (int after = 1; b != null; after++) {
            assertEquals(a.keys()[j], b.keys()[k]);
            assertEquals(a.hasValues(j), b.hasValues(k));
            assertTrue(b.entries(k) <= Columns.STRETCH, "a stretch is no longer");
            for (int e = 0; e < b.entries(k); e++) {
                assertEquals(a.row(from + e), b.row(b.starts()[k] + e));
                assertEquals(a.value(j, from + e), b.value(k, b.starts()[k] + e));
            }
            from += b.entries(k);
            b = stored.stretch(column, after);
            k = 0;
        }
        assertEquals(a.starts()[j + 1], from, "nothing is left out");
    }

    /// Features that all rows have, with values and without, among others; runs that are shorter than a stretch and
    /// longer.
    @ParameterizedTest
    @CsvSource({"1, 8", "7, 4000000", "3, 1000000000"})
    void a_column_that_is_longer_than_a_piece_is_cut_into_stretches(int blocks, long heapBytes) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 2 * Columns.STRETCH + 77; row++) {
            text.append(row % 3 == 0 ? "1 " : "-1 ").append(1 + row % 5).append(":1 7:1 ");
            text.append(row == Columns.STRETCH ? "" : "8:" + (2 + row % 4) + " ")
                    .append("9:1\n");
        }
        Data data =
                Data.of(Files.writeString(directory.resolve("long.svm"), text).toString());
        try (CachedBatches batches = open(data, heapBytes);
                BlockColumns held = batches.columns(0, 1, firsts(blocks), ColumnUse.MEMORY);
                BlockColumns stored = batches.columns(0, 1, firsts(blocks), ColumnUse.DISK)) {
            assertInstanceOf(StoredColumns.class, stored);
            assertEquals(8, stored.count());
            same(held, stored, blocks);
        }
    }

    /// With a heap of 8 bytes there is room for one piece, and runs have a batch; with more, pieces stay.
    @ParameterizedTest
    @CsvSource({"1, 0, 1, 8", "7, 0, 1, 8", "100, 1, 3, 8", "7, 2, 3, 3000000", "64, 0, 2, 1000000000"})
    void columns_on_disk_are_those_in_memory(int blocks, int stream, int streams, long heapBytes) throws IOException {
        Data data = data(3_000, 1);
        try (CachedBatches batches = open(data, heapBytes);
                BlockColumns held = batches.columns(stream, streams, firsts(blocks), ColumnUse.MEMORY);
                BlockColumns stored = batches.columns(stream, streams, firsts(blocks), ColumnUse.DISK)) {
            assertInstanceOf(StoredColumns.class, stored);
            same(held, stored, blocks);
        }
    }

    @Test
    void a_run_for_every_few_rows_gives_the_same_file_as_one_for_all() throws IOException {
        try (CachedBatches batches = open(data(2_000, 2), MUCH)) {
            ColumnHeader.Made made = new ColumnHeader.Made("", 0, 1, 9, 0);
            byte[][] files = new byte[3][];
            long[] memory = {1, 50_000, MUCH};
            for (int k = 0; k < files.length; k++) {
                Path target = directory.resolve("columns-" + k);
                new ColumnBuilder(made, firsts(9), memory[k], FileChannel::open).build(batches.pass(0, 0, 1), target);
                files[k] = Files.readAllBytes(target);
            }
            assertArrayEquals(files[2], files[0]);
            assertArrayEquals(files[2], files[1]);
        }
    }

    @Test
    void a_stream_without_rows_has_no_columns() throws IOException {
        try (CachedBatches batches = open(data(40, 1), MUCH);
                BlockColumns none = batches.columns(1, 2, firsts(4), ColumnUse.DISK)) {
            assertEquals(0, none.rows());
            assertEquals(0, none.count());
            assertEquals(0, none.labels().length);
            none.expect(new int[] {0, 1, 2, 3, 4}, 0);
        }
    }

    @Test
    void columns_are_in_memory_while_there_is_room_for_them() throws IOException {
        Data data = data(1_000, 3);
        long needed;
        try (CachedBatches batches = open(data, MUCH)) {
            needed = ColumnRoom.needed(CacheFile.open(batches.file()), 0, 1);
        }
        try (CachedBatches batches = open(data, 2 * needed)) {
            BlockColumns first = batches.columns(0, 1, firsts(4), ColumnUse.AUTO);
            assertInstanceOf(HeldColumns.class, first);
            try (BlockColumns second = batches.columns(0, 1, firsts(4), ColumnUse.AUTO)) {
                assertInstanceOf(StoredColumns.class, second);
                same(first, second, 4);
            }
            first.close();
            assertInstanceOf(HeldColumns.class, batches.columns(0, 1, firsts(4), ColumnUse.AUTO));
        }
        try (CachedBatches batches = open(data, 2 * needed - 2)) {
            assertInstanceOf(StoredColumns.class, batches.columns(0, 1, firsts(4), ColumnUse.AUTO));
        }
    }

    @Test
    void a_cache_is_found_again_until_the_data_changes() throws IOException {
        Object before;
        try (CachedBatches batches = open(data(500, 4), MUCH)) {
            batches.columns(0, 1, firsts(5), ColumnUse.DISK).close();
            before = Files.readAttributes(file(), "unix:ino").get("ino");
            batches.columns(0, 1, firsts(5), ColumnUse.DISK).close();
            assertEquals(before, Files.readAttributes(file(), "unix:ino").get("ino"));
            batches.columns(0, 1, firsts(6), ColumnUse.DISK).close();
            assertEquals(2, files().size());
        }
        try (CachedBatches batches = open(data(500, 5), MUCH);
                BlockColumns held = batches.columns(0, 1, firsts(5), ColumnUse.MEMORY);
                BlockColumns stored = batches.columns(0, 1, firsts(5), ColumnUse.DISK)) {
            same(held, stored, 5);
        }
    }

    @Test
    void a_file_that_is_damaged_anywhere_is_never_taken_for_sound() throws IOException {
        byte[] whole;
        Path target = directory.resolve("columns");
        try (CachedBatches batches = open(data(300, 6), MUCH)) {
            new ColumnBuilder(new ColumnHeader.Made("", 0, 1, 9, 0), firsts(9), MUCH, FileChannel::open)
                    .build(batches.pass(0, 0, 1), target);
            whole = Files.readAllBytes(target);
        }
        readAll(target);
        SplittableRandom random = new SplittableRandom(7);
        for (int damage = 0; damage < 1_500; damage++) {
            byte[] bytes = whole.clone();
            int at = random.nextInt(whole.length);
            switch (damage % 3) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes = Arrays.copyOf(bytes, at);
                default -> {
                    int end = Math.min(bytes.length, at + 1 + random.nextInt(64));
                    for (int k = at; k < end; k++) {
                        bytes[k] = (byte) random.nextInt();
                    }
                }
            }
            Files.write(target, bytes);
            int seed = damage;
            if (!Arrays.equals(bytes, whole)) {
                assertThrows(IOException.class, () -> readAll(target), () -> "damage " + seed + " at " + at);
            }
        }
    }

    private static void readAll(Path path) throws IOException {
        try (ColumnFile file = ColumnFile.open(path)) {
            file.forEachRows((_, _) -> {});
            for (int piece = 0; piece < file.header().columns().length; piece++) {
                file.columns(piece);
            }
        }
    }

    @Test
    void damage_is_made_good_while_columns_are_in_use() throws IOException {
        try (CachedBatches batches = open(data(2_000, 8), 8)) {
            batches.columns(0, 1, firsts(6), ColumnUse.DISK).close();
            byte[] whole = Files.readAllBytes(file());
            BlockColumns held = batches.columns(0, 1, firsts(6), ColumnUse.MEMORY);
            for (int at : new int[] {3, 40, whole.length / 2, whole.length - 10}) {
                byte[] damaged = whole.clone();
                damaged[at] ^= 8;
                Files.write(file(), damaged);
                try (BlockColumns stored = batches.columns(0, 1, firsts(6), ColumnUse.DISK)) {
                    same(held, stored, 6);
                }
                assertArrayEquals(whole, Files.readAllBytes(file()));
            }
        }
    }

    @Test
    void a_full_disk_is_one_message_and_leaves_nothing_behind() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full) && !Files.isRegularFile(full), "this system has no /dev/full");
        try (CachedBatches batches = open(data(3_000, 9), MUCH)) {
            Path target = directory.resolve("cache").resolve("c");
            for (String kind : List.of(".draft", ".runs")) {
                Draft.Opening opening = (path, options) -> path.toString().endsWith(kind)
                        ? FileChannel.open(full, StandardOpenOption.WRITE)
                        : FileChannel.open(path, options);
                ColumnBuilder builder =
                        new ColumnBuilder(new ColumnHeader.Made("", 0, 1, 3, 0), firsts(3), 50_000, opening);
                String message = assertThrows(IOException.class, () -> builder.build(batches.pass(0, 0, 1), target))
                        .getMessage();
                assertTrue(message.contains("cannot be written there ("), message);
                assertTrue(message.contains("--columns-in memory"), message);
                assertEquals(List.of(), files());
            }
        }
    }

    @Test
    void columns_of_batches_without_a_name_are_gone_when_they_are_closed() throws IOException {
        try (CachedBatches batches = open(data(500, 10), MUCH);
                BlockColumns held = batches.columns(0, 1, firsts(5), ColumnUse.MEMORY)) {
            Files.delete(batches.file());
            try (BlockColumns stored = batches.columns(0, 1, firsts(5), ColumnUse.DISK)) {
                same(held, stored, 5);
            }
            assertEquals(List.of(), files());
        }
    }

    @Test
    void closing_the_batches_closes_their_columns() throws IOException {
        BlockColumns stored;
        try (CachedBatches batches = open(data(500, 11), MUCH)) {
            stored = batches.columns(0, 1, firsts(5), ColumnUse.DISK);
        }
        assertThrows(IOException.class, () -> stored.piece(0));
    }

    @Test
    void the_blocks_of_a_cache_are_part_of_what_it_is() throws IOException {
        try (CachedBatches batches = open(data(500, 12), MUCH)) {
            long[] firsts = firsts(5);
            int before;
            try (BlockColumns stored = batches.columns(0, 1, firsts, ColumnUse.DISK)) {
                before = stored.first(1);
            }
            firsts[1] /= 2;
            try (BlockColumns stored = batches.columns(0, 1, firsts, ColumnUse.DISK)) {
                assertNotEquals(before, stored.first(1));
                assertFalse(stored.first(1) > before);
            }
        }
    }
}
