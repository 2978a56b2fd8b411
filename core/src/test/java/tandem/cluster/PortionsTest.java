package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PortionsTest {

    /// Workers at their own pace, in made-up time.
    private static final class World {
        final long count;
        final List<Long> nanosPerBatch;
        final Portions portions;
        final TreeMap<Long, Portions.Answer> inHand = new TreeMap<>();
        final TreeMap<Long, Long> readyNanos = new TreeMap<>();
        final int[] counted;
        final int[] worked;
        long now;

        World(int count, List<Long> nanosPerBatch) {
            this.count = count;
            this.nanosPerBatch = nanosPerBatch;
            List<Long> orders = new ArrayList<>();
            for (long order = 0; order < nanosPerBatch.size(); order++) {
                orders.add(order);
                readyNanos.put(order, 0L);
            }
            portions = new Portions(count, orders, 0);
            counted = new int[count];
            worked = new int[count];
        }

        /// When every batch counts for somebody.
        long run() {
            while (!portions.isOver()) {
                long order = readyNanos.entrySet().stream()
                        .min(java.util.Map.Entry.comparingByValue())
                        .orElseThrow()
                        .getKey();
                now = Math.max(now, readyNanos.get(order));
                Portions.Answer before = inHand.get(order);
                portions.ask(order, before == null ? 1 : before.number() + 1, now);
                readyNanos.put(order, Long.MAX_VALUE);
                take(portions.answers(now));
                while (!portions.isOver() && readyNanos.values().stream().allMatch(at -> at == Long.MAX_VALUE)) {
                    now = portions.lookNanos(now);
                    take(portions.answers(now));
                }
                long look = portions.lookNanos(now);
                while (look < readyNanos.values().stream().min(Long::compare).orElseThrow()) {
                    now = look;
                    take(portions.answers(now));
                    look = portions.lookNanos(now);
                }
            }
            take(portions.answers(now));
            return now;
        }

        private void take(List<Portions.Answer> answers) {
            for (Portions.Answer answer : answers) {
                Portions.Answer before = inHand.put(answer.order(), answer);
                if (before != null && answer.counts()) {
                    for (long batch = before.from(); batch < before.to(); batch++) {
                        counted[(int) batch]++;
                    }
                }
                long each = nanosPerBatch.get((int) answer.order());
                boolean none = answer.from() == answer.to();
                for (long batch = answer.from(); batch < answer.to(); batch++) {
                    worked[(int) batch]++;
                }
                readyNanos.put(
                        answer.order(), none || each < 0 ? Long.MAX_VALUE : now + each * (answer.to() - answer.from()));
            }
        }
    }

    private static final long PACE = 10_000_000;

    @Test
    void where_all_are_alike_each_does_its_own_share_and_nothing_is_done_twice() {
        World world = new World(400, List.of(PACE, PACE, PACE, PACE));
        assertEquals(100 * PACE, world.run());
        for (int batch = 0; batch < 400; batch++) {
            assertEquals(1, world.counted[batch]);
            assertEquals(1, world.worked[batch]);
        }
    }

    /// Ten times slower: the others do most of its share. Out for good, in the middle of a piece:
    /// somebody does that again.
    @ParameterizedTest
    @ValueSource(longs = {10 * PACE, 1000 * PACE, -1})
    void a_round_hardly_waits_for_one_that_is_slow(long pace) {
        World world = new World(800, List.of(PACE, pace, PACE, PACE, PACE, PACE, PACE, PACE));
        long took = world.run();
        assertTrue(took <= 1.3 * 100 * PACE, took / 1e9 + " s instead of 1 s");
        for (int batch = 0; batch < 800; batch++) {
            assertEquals(1, world.counted[batch], "batch " + batch);
        }
    }

    @Test
    void every_batch_counts_once_whatever_the_pace() {
        SplittableRandom chance = new SplittableRandom(7);
        for (int round = 0; round < 200; round++) {
            List<Long> paces = new ArrayList<>(List.of(PACE));
            for (int w = chance.nextInt(6); w > 0; w--) {
                paces.add(chance.nextInt(5) == 0 ? -1 : chance.nextLong(1, 100) * PACE / 10);
            }
            World world = new World(chance.nextInt(1, 60), paces);
            world.run();
            for (int batch = 0; batch < world.count; batch++) {
                assertEquals(1, world.counted[batch], "round " + round + ", batch " + batch);
            }
        }
    }

    @Test
    void who_did_not_hear_the_answer_is_told_the_same_again() {
        Portions portions = new Portions(10, List.of(5L), 0);
        portions.ask(5, 1, 0);
        Portions.Answer first = portions.answers(0).getFirst();
        portions.ask(5, 1, 1);
        assertEquals(List.of(), portions.answers(1));
        assertNotNull(portions.answered(5));
        assertEquals(first, portions.answered(5));
    }

    @Test
    void who_begins_anew_gives_back_what_it_had_in_hand_and_asks_from_the_first_on() {
        Portions portions = new Portions(2, List.of(7L), 0);
        portions.ask(7, 1, 0);
        Portions.Answer lost = portions.answers(0).getFirst();
        portions.anew(7);
        portions.ask(7, 1, 10);
        Portions.Answer again = portions.answers(10).getFirst();
        assertEquals(new Portions.Answer(7, 1, lost.from(), lost.to(), false), again);
        portions.ask(7, 2, 20);
        Portions.Answer second = portions.answers(20).getFirst();
        assertTrue(second.counts() && second.from() != lost.from());
        portions.ask(7, 3, 30);
        assertTrue(portions.isOver());
    }
}
