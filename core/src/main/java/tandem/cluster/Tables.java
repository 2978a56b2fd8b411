package tandem.cluster;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Limits;
import tandem.wire.TableSpec;

/// Which tables there are, and which seat holds which of their shards: layouts with one more or one less. A number of a
/// table is not used again.
final class Tables {

    private final Cast cast;
    private final Ring ring;
    private Consumer<TableSpec> check = _ -> {};

    Tables(Cast cast) {
        this.cast = cast;
        this.ring = new Ring(IntStream.range(0, cast.seats()).toArray());
    }

    /// Has tables refused that `other` throws for.
    void checking(Consumer<TableSpec> other) {
        check = other;
    }

    /// The first layout: shards dealt to seats.
    Layout first(List<TableSpec> tables, Chain[] chains) {
        int[][] owners = tables.stream().map(this::owners).toArray(int[][]::new);
        return new Layout(1, tables.toArray(new TableSpec[0]), owners, cast.streams(), chains);
    }

    private int[] owners(TableSpec table) {
        return cast.homed() && table.isSparse()
                ? new Homes(cast).seats(table.shards())
                : ring.owners(table.name(), table.shards());
    }

    /// The layout after this one, with one more table.
    Layout with(TableSpec table, Layout last) {
        check(last);
        if (Arrays.stream(last.tables())
                .anyMatch(other -> other != null && other.name().equals(table.name()))) {
            throw new IllegalArgumentException(
                    "there is a table called " + table.name() + " already; drop it, or choose another name");
        }
        int count = last.tables().length;
        if (count == Limits.DEFAULT.tables()) {
            throw new IllegalArgumentException("there have been " + count + " tables, the most that a cluster can have"
                    + " over its life; use fewer, or start another cluster");
        }
        check.accept(table);
        TableSpec[] specs = Arrays.copyOf(last.tables(), count + 1);
        int[][] owners = Arrays.copyOf(last.owners(), count + 1);
        specs[count] = table;
        owners[count] = owners(table);
        return next(last, specs, owners);
    }

    /// The layout after this one, without a table.
    Layout without(String name, Layout last) {
        check(last);
        int table = last.table(name);
        TableSpec[] specs = last.tables().clone();
        int[][] owners = last.owners().clone();
        specs[table] = null;
        owners[table] = null;
        return next(last, specs, owners);
    }

    private static void check(Layout last) {
        if (last.epoch() == 0) {
            throw new IllegalStateException("the tables can be changed once all nodes have joined");
        }
    }

    /// Whoever is being given a seat begins anew, because it does not know which tables the others had when.
    private Layout next(Layout last, TableSpec[] specs, int[][] owners) {
        long epoch = last.epoch() + 1;
        Chain[] chains = Arrays.stream(last.chains())
                .map(chain -> Seating.restarted(chain, epoch))
                .toArray(Chain[]::new);
        return new Layout(epoch, specs, owners, cast.streams(), chains);
    }
}
