package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheTest {

    @TempDir
    Path directory;

    private Path cacheDirectory() {
        return directory.resolve("cache");
    }

    private Batches open(Data data, int threads) throws IOException {
        return data.cache(cacheDirectory(), at -> {}, threads);
    }

    private Path cacheFile() throws IOException {
        try (Stream<Path> files = Files.list(cacheDirectory())) {
            return files.toList().getFirst();
        }
    }

    @Test
    void a_line_that_is_skipped_adds_no_label() throws IOException {
        Path svm = Examples.write(directory, "a.svm", List.of("1 1:1", "2 2:1", "x:y 1:1", "z 1:x"));
        Path csv =
                Examples.write(directory, "a.csv", List.of("label,age", "yes,3", "no,2", "yes,4", "maybe,abc", "no,1"));
        Data table = Data.of(csv.toString()).withFormat(Format.table(Declared.parse("age=number")));
        BadLines skip = new BadLines.Skip(9);
        try (Batches batches = open(Data.of(svm.toString()).withBadLines(skip), 1)) {
            assertEquals(new Labels(List.of("1", "2"), true, false), batches.labels());
        }
        try (Batches batches = open(table.withBadLines(skip), 1)) {
            assertEquals(new Labels(List.of("no", "yes"), false, false), batches.labels());
        }
    }

    @Test
    void the_parts_of_a_split_have_the_labels_of_the_whole() throws IOException {
        List<String> rows = new ArrayList<>(Collections.nCopies(100, "ant 1:1"));
        rows.addAll(Collections.nCopies(100, "bee 1:1"));
        rows.add("cat 1:1");
        Data.Split split =
                Data.of(Examples.write(directory, "a.svm", rows).toString()).split(0.5);
        for (Data part : List.of(split.train(), split.validation())) {
            try (Batches batches = open(part, 1)) {
                assertEquals(List.of("ant", "bee", "cat"), batches.labels().names());
            }
        }
    }

    /// Two that began together once shared one pass, and each had a part of the rows.
    @Test
    void passes_that_begin_at_the_same_time_are_not_the_same() throws Exception {
        Data data = Data.of(Examples.write(directory, "a.svm", List.of("1 1:1")).toString());
        try (Batches batches = open(data, 1);
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Callable<Set<Batches.Pass>> many = () -> {
                Set<Batches.Pass> begun = Collections.newSetFromMap(new IdentityHashMap<>());
                for (int k = 0; k < 200_000; k++) {
                    begun.add(batches.pass(0, 0));
                }
                return begun;
            };
            var others = threads.submit(many);
            Set<Batches.Pass> mine = threads.submit(many).get();
            assertEquals(200_000, mine.size());
            assertTrue(Collections.disjoint(mine, others.get()));
        }
    }

    @Test
    void holds_every_row_once_in_another_order() throws IOException {
        List<String> rows = Examples.rows(10_000, 1);
        Data data = Data.of(Examples.write(directory, "a.svm", rows).toString());
        try (Batches batches = open(data, 2)) {
            List<String> first = Examples.all(batches, 0);
            List<String> second = Examples.all(batches, 1);
            assertNotEquals(rows, first);
            assertNotEquals(first, second);
            assertEquals(
                    rows.stream().sorted().toList(), first.stream().sorted().toList());
            assertEquals(
                    rows.stream().sorted().toList(), second.stream().sorted().toList());
            assertEquals(10_000, batches.rows());
            assertEquals(20, batches.count());
            assertEquals(List.of("-1", "1"), batches.labels().names());
        }
    }

    @Test
    void does_not_depend_on_threads_memory_or_buckets() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", Examples.rows(60_000, 2))
                        .toString())
                .known();
        List<String> expected;
        try (Batches batches = open(data, 1)) {
            expected = Examples.all(batches, 3);
        }
        for (long memoryBytes : new long[] {1 << 16, 1 << 20}) {
            Path path = directory.resolve("small-" + memoryBytes);
            new CacheBuilder(data, Sources.find(data.paths()), at -> {}, 3, memoryBytes, FileChannel::open).build(path);
            try (Batches batches = new CachedBatches(path, CacheFile.open(path), Examples::unrepaired)) {
                assertEquals(expected, Examples.all(batches, 3));
            }
        }
    }

    @Test
    void is_found_again_until_the_data_changes() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("1 1:1", "-1 2:1"));
        Data data = Data.of(file.toString());
        assertFalse(data.isCached(cacheDirectory()));
        open(data, 1).close();
        assertTrue(data.isCached(cacheDirectory()));
        assertFalse(data.withSeed(2).isCached(cacheDirectory()));
        assertFalse(data.withHashBits(20).isCached(cacheDirectory()));
        Examples.write(directory, "a.svm", List.of("1 1:1", "-1 3:1"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1));
        assertFalse(data.isCached(cacheDirectory()));
        try (Batches batches = open(data, 1)) {
            assertEquals(
                    List.of("-1 3:1", "1 1:1"),
                    Examples.all(batches, 0).stream().sorted().toList());
        }
    }

    @Test
    void is_built_again_when_its_end_is_damaged() throws IOException {
        Data data = Data.of(
                Examples.write(directory, "a.svm", Examples.rows(100, 3)).toString());
        open(data, 1).close();
        byte[] whole = Files.readAllBytes(cacheFile());
        for (int cut : new int[] {0, 7, 30, whole.length - 40, whole.length - 1}) {
            Files.write(cacheFile(), Arrays.copyOf(whole, cut));
            assertFalse(data.isCached(cacheDirectory()));
            try (Batches batches = open(data, 1)) {
                assertEquals(100, Examples.all(batches, 0).size());
            }
        }
    }

    @Test
    void is_built_again_in_the_midst_of_a_pass_when_a_batch_is_damaged() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", Examples.rows(1000, 4))
                        .toString())
                .withBatchRows(50);
        List<String> expected;
        try (Batches batches = open(data, 1)) {
            expected = Examples.all(batches, 1);
        }
        byte[] whole = Files.readAllBytes(cacheFile());
        byte[] damaged = whole.clone();
        damaged[damaged.length / 2] ^= 4;
        Files.write(cacheFile(), damaged);
        try (Batches batches = open(data, 1)) {
            assertEquals(expected, Examples.all(batches, 1));
        }
        assertArrayEquals(whole, Files.readAllBytes(cacheFile()));
    }

    @Test
    void many_threads_that_meet_damage_wait_for_one_to_build() throws Exception {
        Data data = Data.of(Examples.write(directory, "a.svm", Examples.rows(1000, 5))
                        .toString())
                .withBatchRows(10);
        open(data, 1).close();
        byte[] whole = Files.readAllBytes(cacheFile());
        for (int at = 100; at < whole.length * 3 / 4; at += 100) {
            whole[at] ^= 1;
        }
        Files.write(cacheFile(), whole);
        AtomicInteger rows = new AtomicInteger();
        try (Batches batches = open(data, 1)) {
            Batches.Pass pass = batches.pass(0, 0);
            Crew.run(
                    4,
                    () -> {
                        Batch batch = new Batch();
                        while (pass.next(batch)) {
                            rows.addAndGet(Examples.unpack(batch).size());
                        }
                    },
                    () -> {});
        }
        assertEquals(1000, rows.get());
    }

    @Test
    void damage_that_cannot_be_repaired_is_one_message() throws IOException {
        Path file = Examples.write(directory, "a.svm", Examples.rows(100, 4));
        Data data = Data.of(file.toString());
        open(data, 1).close();
        byte[] whole = Files.readAllBytes(cacheFile());
        whole[100] ^= 4;
        Files.write(cacheFile(), whole);
        try (Batches batches = open(data, 1)) {
            Examples.write(directory, "a.svm", Examples.rows(99, 4));
            IOException e = assertThrows(IOException.class, () -> Examples.all(batches, 0));
            assertTrue(e.getMessage().contains("the data has changed since it was made"), e.getMessage());
        }
    }

    @Test
    void two_builders_at_once_end_with_one_sound_cache() throws Exception {
        Data data = Data.of(
                Examples.write(directory, "a.svm", Examples.rows(20_000, 6)).toString());
        CyclicBarrier start = new CyclicBarrier(2);
        List<List<String>> read = Collections.synchronizedList(new ArrayList<>());
        Crew.run(
                2,
                () -> {
                    try {
                        start.await();
                    } catch (Exception e) {
                        throw new IOException(e);
                    }
                    try (Batches batches = open(data, 2)) {
                        read.add(Examples.all(batches, 1));
                    }
                },
                () -> {});
        assertEquals(read.getFirst(), read.getLast());
        try (Stream<Path> files = Files.list(cacheDirectory())) {
            assertEquals(1, files.count());
        }
        assertTrue(data.isCached(cacheDirectory()));
        try (Batches batches = open(data, 1)) {
            assertEquals(read.getFirst(), Examples.all(batches, 1));
        }
    }

    @Test
    void a_full_disk_is_one_message_and_leaves_nothing_behind() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full) && !Files.isRegularFile(full), "this system has no /dev/full");
        Data data = Data.of(Examples.write(directory, "a.svm", Examples.rows(20_000, 7))
                        .toString())
                .known();
        Files.createDirectories(cacheDirectory());
        Path target = cacheDirectory().resolve("c");
        for (String kind : List.of(".draft", ".rows")) {
            Draft.Opening opening = (path, options) -> path.toString().endsWith(kind)
                    ? FileChannel.open(full, StandardOpenOption.WRITE)
                    : FileChannel.open(path, options);
            CacheBuilder builder = new CacheBuilder(data, Sources.find(data.paths()), at -> {}, 2, 1 << 16, opening);
            String message =
                    assertThrows(IOException.class, () -> builder.build(target)).getMessage();
            assertTrue(message.startsWith(cacheDirectory() + ": the cache cannot be written there ("), message);
            assertTrue(
                    message.contains("for one pass of ftrl in one process, read without one with --cache off"),
                    message);
            try (Stream<Path> files = Files.list(cacheDirectory())) {
                assertEquals(List.of(), files.toList());
            }
        }
    }

    @Test
    void a_directory_that_cannot_be_made_is_found_out_before_reading() throws IOException {
        Path file = Examples.write(directory, "a.svm", List.of("1 1:1", "1 1:x"));
        Data data = Data.of(file.toString());
        for (Path below : List.of(file, file.resolve("more"))) {
            String message = assertThrows(IOException.class, () -> data.cache(below, at -> {}, 1))
                    .getMessage();
            assertTrue(message.startsWith(below + ": the cache cannot be written there ("), message);
        }
    }

    @Test
    void keeps_names_of_labels_and_their_codes() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", List.of("spam 1:1", "ham 2:1", "7 3:1", "ham 4:1"))
                .toString());
        try (Batches batches = open(data, 2)) {
            assertEquals(new Labels(List.of("7", "ham", "spam"), false, false), batches.labels());
            assertEquals(
                    List.of("0 3:1", "1 2:1", "1 4:1", "2 1:1"),
                    Examples.all(batches, 0).stream().sorted().toList());
        }
    }

    @Test
    void many_numbers_are_no_classes() throws IOException {
        List<String> rows = new ArrayList<>();
        for (int r = 0; r < 3000; r++) {
            rows.add(LabelBook.text(r / 7.0) + " 1:1");
        }
        Data data = Data.of(Examples.write(directory, "a.svm", rows).toString());
        try (Batches batches = open(data, 2)) {
            assertTrue(batches.labels().many());
            assertEquals(
                    rows.stream().sorted().toList(),
                    Examples.all(batches, 0).stream().sorted().toList());
        }
    }

    @Test
    void a_failed_build_leaves_nothing_behind() throws IOException {
        Data data = Data.of(
                Examples.write(directory, "a.svm", List.of("1 1:1", "1 1:x")).toString());
        assertThrows(BadData.class, () -> open(data, 2));
        try (Stream<Path> files = Files.list(cacheDirectory())) {
            assertEquals(List.of(), files.toList());
        }
    }

    @Test
    void what_a_killed_builder_left_behind_goes_and_what_another_still_writes_stays() throws IOException {
        Data data = Data.of(
                Examples.write(directory, "a.svm", Examples.rows(100, 8)).toString());
        open(data, 1).close();
        Path cache = cacheFile();
        Path left = Files.writeString(cache.resolveSibling(cache.getFileName() + ".1-c0ffee.draft"), "half");
        Path written = Files.writeString(cache.resolveSibling(cache.getFileName() + ".2-c0ffee.draft"), "half");
        Path begun = Files.createFile(cache.resolveSibling(cache.getFileName() + ".3-c0ffee.draft"));
        Path unrelated =
                Files.writeString(cache.resolveSibling("b-" + cache.getFileName() + ".1-c0ffee.draft"), "half");
        Files.delete(cache);
        try (FileChannel channel = FileChannel.open(written, StandardOpenOption.WRITE)) {
            channel.lock();
            open(data, 1).close();
        }
        try (Stream<Path> files = Files.list(cacheDirectory())) {
            assertEquals(
                    Stream.of(cache, written, begun, unrelated).sorted().toList(),
                    files.sorted().toList());
        }
        assertFalse(Files.exists(left));
    }

    @Test
    void remembers_what_was_skipped() throws IOException {
        Data data = Data.of(Examples.write(directory, "a.svm", List.of("1 1:1", "1 1:x"))
                        .toString())
                .withBadLines(new BadLines.Skip(10));
        open(data, 2).close();
        try (Batches batches = open(data, 2)) {
            assertEquals(1, batches.skipped().count());
            assertEquals(1, batches.rows());
        }
    }
}
