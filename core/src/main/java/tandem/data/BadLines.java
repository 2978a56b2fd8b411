package tandem.data;

/// What to do with a line that cannot be read.
public sealed interface BadLines {

    /// Stop at the first one.
    record Fail() implements BadLines {}

    /// Pass over it, at most `limit` times.
    record Skip(long limit) implements BadLines {
        public Skip {
            if (limit < 1) {
                throw new IllegalArgumentException(
                        "limit is " + limit + "; it counts lines, so use 1 or more, or fail at the first");
            }
        }
    }

    /// Whether reading goes on after `seen` bad lines.
    default boolean tolerates(long seen) {
        return switch (this) {
            case Fail() -> seen == 0;
            case Skip(long limit) -> seen <= limit;
        };
    }
}
