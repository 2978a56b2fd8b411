package tandem.bench.spark;

import java.io.IOException;

/// Turns that systems take, until there were enough or time is up. The first always counts.
final class Rounds {

    private Rounds() {}

    @FunctionalInterface
    interface Round {
        void play(int number) throws IOException;
    }

    static void run(SparkSettings settings, Round round) throws IOException {
        long start = System.nanoTime();
        for (int number = 1; number <= settings.rounds; number++) {
            if (number > 1 && (System.nanoTime() - start) / 1e9 > settings.budget) {
                return;
            }
            round.play(number);
        }
    }
}
