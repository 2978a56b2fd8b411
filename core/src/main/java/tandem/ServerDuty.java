package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import tandem.client.Station;
import tandem.cluster.Duty;
import tandem.data.KeyPlaces;
import tandem.math.RadixSort;
import tandem.model.FactorRows;
import tandem.model.KeyRange;
import tandem.model.ModelCard;
import tandem.model.RangeFile;
import tandem.model.StoredModel;
import tandem.report.Json;
import tandem.server.Row;
import tandem.server.Server;
import tandem.wire.TableSpec;
import tandem.worker.OnlineTask;

/// What a server does when it is told to: put its own weights into files of the model, start with those of an earlier
/// one, make and restore checkpoints, and say how much it holds and what that adds up to. An order names a problem;
/// which files that means follows from the job.
final class ServerDuty implements Duty {

    private static final byte[] NOTHING = {};

    private final LinearJob job;
    private final ServerCheckpoints checkpoints;
    private final Server server;
    private final Station station;

    ServerDuty(LinearJob job, Server server, Station station) {
        this.checkpoints = new ServerCheckpoints(job, server, station);
        this.job = job;
        this.server = server;
        this.station = station;
    }

    @Override
    public byte[] carryOut(byte[] what) {
        try {
            return switch (Json.read(what, ServerOrder.class)) {
                case ServerOrder.Save(int problem, long epoch, Astray astray) ->
                    Json.bytes(save(problem, epoch, astray));
                case ServerOrder.FindAstray(int problem) -> Json.bytes(astray(problem));
                case ServerOrder.Sum(int problem) -> Json.bytes(sums(problem));
                case ServerOrder.Start _ -> start();
                case ServerOrder.Copy(long last) -> Json.bytes(checkpoints.copy(last));
                case ServerOrder.Write(long generation) -> Json.bytes(checkpoints.write(generation));
                case ServerOrder.Restore _ -> {
                    checkpoints.restore();
                    yield NOTHING;
                }
                case ServerOrder.Measure _ -> Json.bytes(station.turn((_, _) -> ServerMemory.of(server)));
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private SavedProblem.Share save(int problem, long epoch, Astray astray) throws IOException {
        int table = job.table(problem);
        TableSpec spec = job.tables().get(table);
        KeyPlaces places = job.files().keyPlaces();
        SavedProblem.Share share = new SavedProblem.Share(List.of(), WeightSums.NONE);
        for (int shard : station.turn((_, _) -> server.led(table))) {
            KeyRange range = new KeyRange(
                    problem, problem * spec.shards() + shard + 1, job.problems() * spec.shards(), spec.firstKey(shard));
            Rows copied = copied(table, shard, places);
            share = copied == null ? share : share.plus(save(copied, shard, range, epoch, astray));
        }
        return share;
    }

    /// The weights that are here and belong into files of other shards.
    private Astray astray(int problem) {
        int table = job.table(problem);
        TableSpec spec = job.tables().get(table);
        Astray all = Astray.NONE;
        for (int shard : station.turn((_, _) -> server.led(table))) {
            Rows rows = copied(table, shard, KeyPlaces.NONE);
            all = rows == null ? all : all.plus(Astray.of(spec, shard, rows.keys, rows.weights));
        }
        return all;
    }

    /// What the weights that are here add up to, shard by shard.
    private WeightSums.Share sums(int problem) throws IOException {
        int table = job.table(problem);
        KeyPlaces places = job.files().keyPlaces();
        WeightSums.Share share = WeightSums.Share.NONE;
        for (int shard : station.turn((_, _) -> server.led(table))) {
            Rows rows = copied(table, shard, places);
            share = rows == null ? share : share.plus(new WeightSums.Share(1, rows.sums()));
        }
        return share;
    }

    /// @param astray weights that are elsewhere, and may belong here; null if there are none
    private SavedProblem.Share save(Rows copied, int shard, KeyRange range, long epoch, Astray astray)
            throws IOException {
        TableSpec table = job.tables().get(job.table(range.output()));
        Rows rows = astray == null ? copied : copied.homeIn(table, shard, astray);
        RadixSort.sort(rows.keys, rows.weights);
        WeightSums sums = rows.sums();
        Rows kept = rows.withoutZeros(Math.toIntExact(sums.nonZero()));
        RangeFile file = RangeFile.writeAside(
                Path.of(job.files().draft()),
                range,
                epoch,
                kept.keys,
                kept.weights,
                job.method().precision(),
                rows.factors.sorted());
        return new SavedProblem.Share(List.of(file), sums);
    }

    /// The rows of a shard, under mixed keys; null if it has passed to another server meanwhile. Only one shard's are
    /// copied at a time, and only that takes a turn: the server goes on while something is made of them.
    private Rows copied(int table, int shard, KeyPlaces places) {
        Rows rows = station.turn((_, _) -> {
            int size = server.size(table, shard);
            Rows copied = size < 0 ? null : new Rows(size, job.method(), factors());
            server.forEach(table, shard, copied);
            return copied;
        });
        if (rows != null && !places.isNone()) {
            rows.mix(places);
        }
        return rows;
    }

    private FactorCopy factors() {
        return new FactorCopy(job.method() instanceof Method.Factors factors ? factors.dimension() : 0);
    }

    /// Reads the ranges that are here, and no others; all where features have other keys than usual.
    private byte[] start() throws IOException {
        StoredModel model = StoredModel.at(Path.of(job.files().start()));
        KeyPlaces places = job.files().keyPlaces();
        List<Mine> mine = new ArrayList<>();
        for (int k = 0; k < job.problems(); k++) {
            mine.add(new Mine(job.tables().get(job.table(k)), held(job.table(k)), places));
        }
        float[] without = factorsOfNone(model.card());
        model.visit(
                (output, first, last) -> mine.get(output).wants(first, last),
                (output, keys, weights, count) ->
                        start(job.table(output), placed(keys, count, places), weights, count, without));
        model.visitFactors(
                (output, first, last) -> mine.get(output).wants(first, last),
                (output, factors) -> start(job.table(output), factors, mine.get(output)));
        double[] intercepts = model.intercepts();
        for (int k = 0; k < job.problems() && job.intercept(); k++) {
            if (held(job.interceptTable(k)).length > 0) {
                start(job.interceptTable(k), new long[] {OnlineTask.INTERCEPT}, new double[] {intercepts[k]}, 1, null);
            }
        }
        return NOTHING;
    }

    /// What a feature begins with that has a weight in the model and no factors: the penalty made them 0 in a plain
    /// machine, where all features have them. Null elsewhere, where they are drawn once they are due.
    private float[] factorsOfNone(ModelCard card) {
        return card.dimension() > 0 && job.method() instanceof Method.Factors factors && factors.isPlain()
                ? new float[factors.dimension()]
                : null;
    }

    private static long[] placed(long[] mixed, int count, KeyPlaces places) {
        return places.isNone()
                ? mixed
                : LongStream.of(mixed).limit(count).map(places::key).toArray();
    }

    private int[] held(int table) {
        return station.turn((_, _) -> server.shards(table));
    }

    /// @param factors of all of them, or null
    private void start(int table, long[] keys, double[] weights, int count, float[] factors) {
        station.turn((_, _) -> {
            for (int k = 0; k < count; k++) {
                server.start(table, keys[k], weights[k]);
                if (factors != null) {
                    server.start(table, keys[k], factors, 0);
                }
            }
            return null;
        });
    }

    private void start(int table, FactorRows factors, Mine mine) {
        station.turn((_, _) -> {
            for (int k = 0; k < factors.keys().length; k++) {
                long key = factors.keys()[k];
                if (mine.wants(key, key)) {
                    server.start(table, mine.places.key(key), factors.values(), k * factors.dimension());
                }
            }
            return null;
        });
    }

    /// The shards of a table that are here, ascending.
    private record Mine(TableSpec table, int[] shards, KeyPlaces places) {

        /// @param first a mixed key, as is the last
        boolean wants(long first, long last) {
            if (first != last && !places.isNone()) {
                return true; // a range of mixed keys may have features of any shard
            }
            int from = table.shardOf(places.key(first));
            int to = table.shardOf(places.key(last));
            for (int shard : shards) {
                if (shard >= from && shard <= to) {
                    return true;
                }
            }
            return false;
        }
    }

    /// Keys and weights of a shard, side by side, and the factors that there are.
    private static final class Rows implements Consumer<Row> {

        final long[] keys;
        final double[] weights;
        final FactorCopy factors;
        private final Method method;
        private int count;

        Rows(int size, Method method, FactorCopy factors) {
            this.method = method;
            this.factors = factors;
            keys = new long[size];
            weights = new double[size];
        }

        @Override
        public void accept(Row row) {
            keys[count] = method.mixed(row.key());
            weights[count++] = method.weight(row);
            factors.accept(row);
        }

        /// Takes placed keys for the mixed ones that they stand for.
        void mix(KeyPlaces places) {
            Arrays.setAll(keys, k -> places.mixed(keys[k]));
            factors.mix(places);
        }

        /// Those whose mixed keys are of a shard, with those that were elsewhere.
        Rows homeIn(TableSpec table, int shard, Astray astray) {
            int[] mine = IntStream.range(0, keys.length)
                    .filter(k -> table.shardOf(keys[k]) == shard)
                    .toArray();
            int[] others = IntStream.range(0, astray.keys().length)
                    .filter(k -> table.shardOf(astray.keys()[k]) == shard)
                    .toArray();
            Rows home = new Rows(mine.length + others.length, method, factors);
            for (int k : mine) {
                home.add(keys[k], weights[k]);
            }
            for (int k : others) {
                home.add(astray.keys()[k], astray.weights()[k]);
            }
            return home;
        }

        private void add(long key, double weight) {
            keys[count] = key;
            weights[count++] = weight;
        }

        WeightSums sums() {
            return factors.with(WeightSums.of(keys, weights));
        }

        Rows withoutZeros(int nonZero) {
            Rows kept = new Rows(nonZero, method, factors);
            for (int k = 0; k < keys.length; k++) {
                if (weights[k] != 0 && kept.count < nonZero) {
                    kept.keys[kept.count] = keys[k];
                    kept.weights[kept.count++] = weights[k];
                }
            }
            return kept;
        }
    }
}
