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
                throw new IllegalArgumentException("no filter is called " + name + "; there are "
                        + String.join(", ", byName.keySet()) + ", and for dbpg kkt");
            }
            String setting = colon < 0 ? null : one.substring(colon + 1);
            steps.add(new Stack.Step(name, filter.apply(new Setting(name, setting)), tally.of(name)));
        }
        return new Stack(steps, direction, seed);
    }

    /// Filters by direction.
    public record Both(List<String> push, List<String> pull) {}

    /// The filters that a line such as `keycache,push=fixed:1,lz4` names: those without a direction are for both if
    /// they can be. `none` names none.
    public Both parse(String line) {
        List<String> push = new ArrayList<>();
        List<String> pull = new ArrayList<>();
        for (String one : line.equals("none") ? new String[0] : line.split(",", -1)) {
            int sign = one.indexOf('=');
            String filter = one.substring(sign + 1);
            switch (one.substring(0, Math.max(0, sign))) {
                case "push" -> push.add(filter);
                case "pull" -> pull.add(filter);
                case "" -> {
                    push.add(filter);
                    if (!stack(List.of(filter), Direction.PUSH, new Tally()).chooses()) {
                        pull.add(filter);
                    }
                }
                default ->
                    throw new IllegalArgumentException("filter " + one + " is for a direction that is not known;"
                            + " write push=" + filter + " or pull=" + filter + ", or " + filter + " for both");
            }
        }
        stack(push, Direction.PUSH, new Tally());
        stack(pull, Direction.PULL, new Tally());
        return new Both(List.copyOf(push), List.copyOf(pull));
    }
}
