package tandem.data;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import tandem.math.Hash;

/// Batches from a cache file. A pass takes them in an order drawn by the seed and the number of the pass.
final class CachedBatches implements Batches {

    private static final System.Logger LOG = System.getLogger("tandem.data");

    private final Path path;
    private final Repair repair;
    private final List<CacheFile.Opened> damaged = new ArrayList<>();
    private volatile CacheFile.Opened cache;
    private volatile CachedPass latest;

    /// Batches that are held take this part of the heap at most; the rest is for what is learned from them.
    private static final int HELD_PART = 4;

    private final ColumnRoom room;
    private final Room batchRoom;
    private final AsideFile aside;
    private final Set<BlockColumns> columns = ConcurrentHashMap.newKeySet();

    /// The order that ranges were cut from last, since many are cut from each.
    private volatile Drawn drawn;

    /// Makes up for a cache in which something is wrong.
    @FunctionalInterface
    interface Repair {

        /// The same cache, sound; an [IOException] says why there is none.
        CacheFile.Opened repaired(CacheFile.Opened damaged, String what) throws IOException;
    }

    CachedBatches(Path path, CacheFile.Opened cache, Repair repair) {
        this(path, cache, repair, Runtime.getRuntime().maxMemory());
    }

    /// @param heapBytes what there is for columns and all else
    CachedBatches(Path path, CacheFile.Opened cache, Repair repair, long heapBytes) {
        this.path = path;
        this.cache = cache;
        this.repair = repair;
        this.room = new ColumnRoom(heapBytes);
        this.batchRoom = new Room(heapBytes / HELD_PART);
        this.aside = new AsideFile(path, Draft.ELSEWHERE + "give Java more memory (-Xmx), so that more is held there");
    }

    @Override
    public Pass pass(int number, long skip) {
        // Others may begin a pass of their own at the same time.
        CachedPass mine = new CachedPass(order(number), (int) Math.min(skip, count()));
        latest = mine;
        return mine;
    }

    @Override
    public Pass pass(int number, int stream, int streams) {
        return dealt(order(number), stream, streams);
    }

    @Override
    public Pass acrossParts(int number, int stream, int streams) {
        return dealt(order(number, 1), stream, streams);
    }

    private Pass dealt(int[] all, int stream, int streams) {
        int[] mine = new int[Math.ceilDiv(Math.max(0, all.length - stream), streams)];
        for (int i = 0; i < mine.length; i++) {
            mine[i] = all[stream + i * streams];
        }
        return new CachedPass(mine, 0);
    }

    @Override
    public Pass range(int number, long from, long to) {
        Drawn order = drawn;
        if (order == null || order.pass != number) {
            order = new Drawn(number, order(number));
            drawn = order;
        }
        return new CachedPass(Arrays.copyOfRange(order.batches, (int) from, (int) to), 0);
    }

    @Override
    public Room room() {
        return batchRoom;
    }

    @Override
    public Aside aside(int count) throws IOException {
        return aside.room(count);
    }

    @Override
    public BlockColumns columns(int stream, int streams, long[] firsts, ColumnUse use) throws IOException {
        long needed = use == ColumnUse.AUTO ? ColumnRoom.needed(cache, stream, streams) : 0;
        boolean held =
                use == ColumnUse.MEMORY || use == ColumnUse.AUTO && room.held().take(needed);
        if (use == ColumnUse.AUTO && !held) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "the columns of stream {0} of {1} would take {2} MB; they are read from disk",
                    stream + 1,
                    streams,
                    needed >> 20);
        }
        BlockColumns made = held
                ? new HeldColumns(ColumnLoader.load(this, stream, streams), firsts, one -> {
                    room.held().giveBack(needed);
                    columns.remove(one);
                })
                : stored(stream, streams, firsts);
        columns.add(made);
        return made;
    }

    private BlockColumns stored(int stream, int streams, long[] firsts) throws IOException {
        long hash = Hash.signature(firsts, firsts.length).low();
        ColumnHeader.Made from = new ColumnHeader.Made(cache.fingerprint(), stream, streams, firsts.length, hash);
        ColumnCache file = new ColumnCache(this, from, firsts, room.buildingBytes(streams));
        return new StoredColumns(file.open(), room.window(), file.aside(), file::repaired, columns::remove);
    }

    /// The order of a pass.
    private record Drawn(int pass, int[] batches) {}

    /// The first pass takes batches as they are, since their rows are shuffled already. Where rows are cut into parts,
    /// batch number `b` of any pass is of part `b % parts`.
    private int[] order(int pass) {
        return order(pass, Math.max(1, cache.header().parts()));
    }

    private int[] order(int pass, int parts) {
        int[] order = new int[(int) count()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        if (pass > 0) {
            long seed = Hash.number(cache.header().seed(), pass);
            for (int i = order.length - 1; i >= parts; i--) {
                long before = i / parts + 1L; // batches of the same part up to here
                int other = i % parts + parts * (int) Math.floorMod(Hash.number(seed, i) >>> 1, before);
                int moved = order[i];
                order[i] = order[other];
                order[other] = moved;
            }
        }
        return order;
    }

    CacheHeader header() {
        return cache.header();
    }

    @Override
    public Path file() {
        return path;
    }

    @Override
    public Labels labels() {
        return cache.header().labels();
    }

    @Override
    public long rows() {
        return cache.header().rows();
    }

    @Override
    public long count() {
        return cache.starts().length;
    }

    @Override
    public double progress() {
        return latest == null ? 0 : Math.min(1, (double) latest.next.get() / count());
    }

    @Override
    public Skipped skipped() {
        return cache.header().skipped();
    }

    @Override
    public synchronized void close() throws IOException {
        for (BlockColumns open : columns) {
            open.close();
        }
        aside.close();
        cache.file().close();
        for (CacheFile.Opened old : damaged) {
            old.file().close();
        }
    }

    private void read(int batch, Batch into) throws IOException {
        CacheFile.Opened from = cache;
        try {
            from.read(batch, into);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException | IndexOutOfBoundsException e) {
            try {
                repaired(from, "batch " + batch + ": " + e.getMessage()).read(batch, into);
            } catch (IndexOutOfBoundsException again) {
                throw new IOException(
                        path + ": the cache is damaged as soon as it is built (batch " + batch + ": "
                                + again.getMessage() + "); read without one with --cache off",
                        again);
            }
        }
    }

    /// Whoever comes first repairs, while the others wait; the damaged file stays open for those still reading it.
    private synchronized CacheFile.Opened repaired(CacheFile.Opened from, String what) throws IOException {
        if (cache.equals(from)) {
            cache = repair.repaired(from, what);
            damaged.add(from);
        }
        return cache;
    }

    private final class CachedPass implements Pass {

        private final int[] order;
        private final AtomicInteger next;
        private volatile boolean paused;

        CachedPass(int[] order, int skip) {
            this.order = order;
            next = new AtomicInteger(skip);
        }

        @Override
        public void pause() {
            paused = true;
        }

        @Override
        public void goOn() {
            paused = false;
        }

        @Override
        public boolean next(Batch into) throws IOException {
            if (paused) {
                return false;
            }
            int at = next.getAndIncrement();
            if (at >= order.length) {
                next.set(order.length);
                return false;
            }
            read(order[at], into);
            return true;
        }
    }
}
