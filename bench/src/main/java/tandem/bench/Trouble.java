package tandem.bench;

import java.time.Duration;

/// What a network does to frames on their way from one node to another.
sealed interface Trouble {

    Trouble NONE = new None();

    /// They arrive.
    record None() implements Trouble {}

    /// Each is held for a while, and those behind it wait.
    record Delay(Duration time) implements Trouble {}

    /// So many bytes pass in a second, as if the receiver read no faster.
    record Rate(long bytesPerSecond) implements Trouble {

        public Rate {
            if (bytesPerSecond < 1) {
                throw new IllegalArgumentException(
                        "a rate of " + bytesPerSecond + " bytes a second; use 1 or more, or a hole");
            }
        }
    }

    /// The connection is closed, and every new one as soon as it has said who it is from.
    record Cut() implements Trouble {}

    /// Nothing arrives and nobody is told. What was under way arrives when the hole is gone.
    record Hole() implements Trouble {}

    /// In this share of them one bit is changed.
    record Flip(double share) implements Trouble {}

    /// This share of them disappears.
    record Loss(double share) implements Trouble {}
}
