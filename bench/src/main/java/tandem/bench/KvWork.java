package tandem.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.cluster.Duty;
import tandem.consistency.After;
import tandem.link.Place;
import tandem.math.Mix;
import tandem.wire.Keys;

/// What the worker of `bench kv` does when it is told: requests of one kind, measured. Orders and answers are text.
/// Belongs to the thread of the worker's loop.
final class KvWork implements Duty {

    /// The tables of the benchmark: one for single keys and lists, and two dense ones.
    static final int SPARSE = 0;

    static final int FOUR_MIB = 1;
    static final int ONE_MIB = 2;
    static final int FOUR_MIB_ROWS = 1 << 20;
    static final int ONE_MIB_ROWS = 1 << 18;

    private final Session session;
    private final LongSupplier wireBytes;
    private final SplittableRandom random = new SplittableRandom(7);
    private final int stream;
    private BareSocket bare;
    private Place barePlace;
    private long inserted;

    KvWork(Session session, LongSupplier wireBytes) {
        this.session = session;
        this.wireBytes = wireBytes;
        this.stream = session.streams()[0];
    }

    @Override
    public byte[] carryOut(byte[] what) {
        String[] words = new String(what, StandardCharsets.UTF_8).split(" ");
        try {
            KvTrial trial = switch (words[0]) {
                case "echo" -> echo(words[1].equals("alert"), Place.of(words[2]), number(words[3]));
                case "move" -> move(Place.of(words[1]), words[2].equals("push"), number(words[3]), number(words[4]));
                case "one" -> one(words[1].equals("push"), number(words[2]));
                case "settled" -> settled(number(words[1]));
                case "clocks" -> clocks(number(words[1]));
                case "dense" -> dense(words[1].equals("push"), number(words[2]), number(words[3]));
                case "list" -> list(words[1].equals("push"), number(words[2]), number(words[3]));
                case "both" -> both(number(words[1]), number(words[2]));
                case "insert" -> insert(number(words[1]), number(words[2]));
                case "fresh" -> fresh(words[1].equals("push"), number(words[2]), number(words[3]));
                default -> throw new IllegalArgumentException("there is no work called " + words[0]);
            };
            return trial.encode().getBytes(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private KvTrial echo(boolean alert, Place place, int requests) throws IOException {
        BareSocket socket = bare(place, alert);
        return new Meter().single(requests, 0, () -> request(socket, 0, 0));
    }

    private KvTrial move(Place place, boolean push, int bytes, int requests) throws IOException {
        BareSocket socket = bare(place, false);
        return new Meter().repeated(requests, 0, bytes, () -> request(socket, push ? bytes : 0, push ? 0 : bytes));
    }

    private KvTrial one(boolean push, int requests) {
        Slice slice = new Slice(SPARSE, Keys.once(new long[] {Mix.mix(-7)}, 1), new float[1]);
        return new Meter().single(requests, 1, () -> session.await(start(push, slice)));
    }

    /// The same of what all copies have.
    private KvTrial settled(int requests) {
        Slice slice = new Slice(SPARSE, Keys.once(new long[] {Mix.mix(-7)}, 1), new float[1]);
        return new Meter().single(requests, 1, () -> session.readSettled(slice));
    }

    /// Pushes of a dense table, each of which ends a clock.
    private KvTrial clocks(int requests) {
        Slice slice = new Slice(ONE_MIB, Keys.range(0, ONE_MIB_ROWS), new float[ONE_MIB_ROWS]);
        return new Meter()
                .repeated(
                        requests,
                        ONE_MIB_ROWS,
                        4L * ONE_MIB_ROWS,
                        () -> session.await(session.update(stream, session.clock(stream) + 1, slice)));
    }

    /// Whole dense tables: of 4 MiB one after another, or of 1 MiB all at once.
    private KvTrial dense(boolean push, int requests, int inFlight) {
        int rows = inFlight == 1 ? FOUR_MIB_ROWS : ONE_MIB_ROWS;
        Slice slice = new Slice(inFlight == 1 ? FOUR_MIB : ONE_MIB, Keys.range(0, rows), new float[rows]);
        return new Meter().repeated(requests, (long) inFlight * rows, 4L * inFlight * rows, () -> {
            Ticket[] tickets = new Ticket[inFlight];
            Arrays.setAll(tickets, _ -> start(push, slice));
            for (Ticket ticket : tickets) {
                session.await(ticket);
            }
        });
    }

    /// The same list over and over.
    private KvTrial list(boolean push, int keys, int requests) {
        Slice slice = new Slice(SPARSE, Keys.repeated(sorted(keys, i -> -8L - i), keys), new float[keys]);
        session.await(start(true, slice));
        session.await(start(push, slice));
        return new Meter().repeated(requests, keys, 4L * keys, () -> session.await(start(push, slice)));
    }

    /// A list of the worker's own, pushed and pulled in turns.
    private KvTrial both(int keys, int requests) {
        long first = -8L - (long) (stream + 1) * keys;
        Slice slice = new Slice(SPARSE, Keys.repeated(sorted(keys, i -> first - i), keys), new float[keys]);
        session.await(start(true, slice));
        return new Meter().repeated(requests, 2L * keys, 8L * keys, () -> {
            session.await(start(true, slice));
            session.await(start(false, slice));
        });
    }

    /// Lists of keys that the store has not seen.
    private KvTrial insert(int keys, int requests) {
        Meter meter = new Meter();
        for (int r = 0; r < requests; r++) {
            Slice slice = new Slice(SPARSE, Keys.once(sorted(keys, i -> inserted++), keys), new float[keys]);
            meter.measure(() -> session.await(start(true, slice)));
        }
        return meter.trial(requests, (long) requests * keys, 4L * requests * keys);
    }

    /// Lists drawn anew each time from all keys that were inserted.
    private KvTrial fresh(boolean push, int keys, int requests) {
        long stretch = inserted / keys; // one key of each, so that none comes twice
        Slice[] slices = new Slice[requests];
        Arrays.setAll(
                slices,
                _ -> new Slice(
                        SPARSE,
                        Keys.once(sorted(keys, i -> i * stretch + random.nextLong(stretch)), keys),
                        new float[keys]));
        Meter meter = new Meter();
        meter.measure(() -> {
            for (Slice slice : slices) {
                session.await(start(push, slice));
            }
        });
        return meter.trial(requests, (long) requests * keys, 4L * requests * keys);
    }

    private Ticket start(boolean push, Slice slice) {
        return push ? session.update(stream, session.clock(stream), slice) : session.pull(stream, After.NOTHING, slice);
    }

    private interface Id {
        long at(int i);
    }

    private static long[] sorted(int count, Id id) {
        long[] keys = new long[count];
        for (int i = 0; i < count; i++) {
            // Signed order of the flipped keys is the unsigned order of the keys.
            keys[i] = Mix.mix(id.at(i)) ^ Long.MIN_VALUE;
        }
        Arrays.sort(keys);
        for (int i = 0; i < count; i++) {
            keys[i] ^= Long.MIN_VALUE;
        }
        return keys;
    }

    private BareSocket bare(Place place, boolean alert) throws IOException {
        if (!place.equals(barePlace)) {
            if (bare != null) {
                bare.close();
            }
            bare = BareSocket.connect(place, alert);
            barePlace = place;
        }
        return bare;
    }

    private static void request(BareSocket socket, int up, int down) {
        try {
            socket.request(up, down);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Times pieces of work, in this process.
    private final class Meter {

        private long nanos;
        private long cpuNanos;
        private long bytes;

        void measure(Runnable work) {
            long wire = wireBytes.getAsLong();
            long cpu = CpuClock.nanos();
            long start = System.nanoTime();
            work.run();
            nanos += System.nanoTime() - start;
            cpuNanos += CpuClock.nanos() - cpu;
            bytes += wireBytes.getAsLong() - wire;
        }

        KvTrial repeated(int requests, long keys, long valueBytes, Runnable request) {
            measure(() -> {
                for (int r = 0; r < requests; r++) {
                    request.run();
                }
            });
            return trial(requests, requests * keys, requests * valueBytes);
        }

        KvTrial single(int requests, long keys, Runnable request) {
            long[] times = new long[requests];
            measure(() -> {
                for (int r = 0; r < requests; r++) {
                    long start = System.nanoTime();
                    request.run();
                    times[r] = System.nanoTime() - start;
                }
            });
            Arrays.sort(times);
            return new KvTrial(
                    nanos / 1e9,
                    cpuNanos / 1e9,
                    requests,
                    requests * keys,
                    0,
                    times[requests / 2] / 1e9,
                    times[(int) (requests * 0.99)] / 1e9,
                    keys == 0 ? 0 : bytes);
        }

        KvTrial trial(long requests, long keys, long valueBytes) {
            return new KvTrial(
                    nanos / 1e9,
                    cpuNanos / 1e9,
                    requests,
                    keys,
                    valueBytes,
                    Double.NaN,
                    Double.NaN,
                    keys == 0 ? 0 : bytes);
        }
    }
}
