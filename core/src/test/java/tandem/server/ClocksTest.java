package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class ClocksTest {

    @RepeatedTest(20)
    void the_slowest_and_every_share_are_those_of_a_plain_look(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        int streams = 1 + random.nextInt(9);
        Clocks clocks = new Clocks(streams);
        long[] plain = new long[streams];
        for (int i = 0; i < 500; i++) {
            int stream = random.nextInt(streams);
            long before = Arrays.stream(plain).min().orElseThrow();
            plain[stream] += random.nextInt(3);
            long slowest = Arrays.stream(plain).min().orElseThrow();
            assertEquals(slowest > before, clocks.set(stream, plain[stream]));
            assertEquals(slowest, clocks.slowest());
            assertEquals(slowest, plain[clocks.laggard()]);
            double share = (1 + random.nextInt(streams)) / (double) streams;
            long reached = clocks.reachedBy(share);
            assertEquals(
                    true,
                    Arrays.stream(plain).filter(clock -> clock >= reached).count() >= share * streams - 1e-9
                            && Arrays.stream(plain)
                                            .filter(clock -> clock > reached)
                                            .count()
                                    < share * streams);
        }
    }
}
