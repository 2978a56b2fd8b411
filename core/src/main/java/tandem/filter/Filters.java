package tandem.filter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/// The filters that there are, by name: names and settings travel, such as `fixed:2`, code does not. Both ends of a
/// table need the same ones, and the same seed.
public final class Filters {

    private final long seed;
    private final Map<String, Function<Setting, Filter>> byName = new TreeMap<>();

    public Filters() {
        this(0);
    }

    /// @param seed what all chance in filters follows from
    public Filters(long seed) {
        this.seed = seed;
        with("keycache", setting -> plain(setting, new KeyCache()));
        with("delta", setting -> plain(setting, new DeltaKeys()));
        with("skip", setting -> new Skip(setting.number("0.1")));
        with("significant", setting -> new Significant(setting.number("0.01")));
        with("runs", setting -> plain(setting, new Runs()));
        with("fixed", setting -> new Fixed(setting.whole(2)));
        with("fp16", setting -> half(setting, Half.Format.FP16));
        with("bf16", setting -> half(setting, Half.Format.BF16));
        with("lz4", setting -> plain(setting, new Lz4()));
        with("zstd", setting -> new Zstd(setting.whole(1)));
    }

    private static Filter plain(Setting setting, Filter filter) {
        setting.none();
        return filter;
    }

    private static Filter half(Setting setting, Half.Format format) {
        return new Half(format, setting.word(Half.Rounding.class, Half.Rounding.STOCHASTIC));
    }

    /// The same with another filter, made anew for every table, direction and stream.
    public Filters with(String name, Function<Setting, Filter> filter) {
        if (name.isEmpty() || name.contains(":") || name.contains(",") || name.contains("=")) {
            throw new IllegalArgumentException(
                    "a filter is to be called '" + name + "'; a name has at least one letter and none of : , =");
        }
        if (byName.putIfAbsent(name, filter) != null) {
            throw new IllegalArgumentException("there is a filter called " + name + " already; choose another name");
        }
        return this;
    }

    /// The filters `named`, ready to work on a table in one direction.
    ///
    /// @param tally where they count bytes
    public Stack stack(List<String> named, Direction direction, Tally tally) {
        List<Stack.Step> steps = new ArrayList<>();
        for (String one : named) {
            int colon = one.indexOf(':');
            String name = colon < 0 ? one : one.substring(0, colon);
            Function<Setting, Filter> filter = byName.get(name);
            if (filter == null) {
                throw new IllegalArgumentException(
                        "no filter is called " + name + "; there are " + String.join(", ", byName.keySet()));
            }
            String setting = colon < 0 ? null : one.substring(colon + 1);
            steps.add(new Stack.Step(name, filter.apply(new Setting(name, setting)), tally.of(name)));
        }
        return new Stack(steps, direction, seed);
    }

    /// Whether the filter `named` may be in a stack of this direction.
    public boolean isFor(String named, Direction direction) {
        return direction == Direction.PUSH
                || !stack(List.of(named), Direction.PUSH, new Tally()).chooses();
    }
}
