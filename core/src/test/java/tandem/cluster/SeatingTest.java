package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import tandem.wire.Chain;

class SeatingTest {

    @Test
    void copies_are_on_servers_of_their_own_and_a_lost_servers_seats_pass_to_different_ones() {
        for (int servers = 1; servers < 8; servers++) {
            for (int copies = 1; copies <= servers; copies++) {
                int[] numbers = IntStream.range(0, servers).map(s -> 3 * s + 1).toArray();
                Chain[] chains = Seating.first(numbers, 4 * servers, copies);
                for (Chain chain : chains) {
                    assertEquals(
                            copies, Arrays.stream(chain.servers()).distinct().count());
                    assertEquals(copies, chain.whole());
                }
                int heirs = (int) Arrays.stream(chains)
                        .filter(chain -> chain.head() == 1 && chain.servers().length > 1)
                        .map(chain -> chain.servers()[1])
                        .distinct()
                        .count();
                assertEquals(copies == 1 ? 0 : Math.min(4, servers - 1), heirs);
            }
        }
    }

    @Test
    void the_last_copy_is_never_given_up() {
        Chain alone = Chain.of(4);
        assertNull(Seating.without(new Chain[] {Chain.of(1, 4), alone}, 4));
        Chain growing = new Chain(new int[] {4, 7}, new long[] {1, 2}, 1);
        assertNull(Seating.without(new Chain[] {growing}, 4), "a newcomer does not have everything yet");
        assertArrayEquals(new int[] {4}, Seating.without(new Chain[] {growing}, 7)[0].servers());
    }

    /// Servers come and go; whatever is under way is finished in any order.
    @RepeatedTest(200)
    void step_by_step_every_seat_gets_its_copies_with_an_even_load_and_never_fewer_meanwhile(
            RepetitionInfo repetition) {
        SplittableRandom chance = new SplittableRandom(repetition.getCurrentRepetition());
        int copies = 1 + chance.nextInt(3);
        int seats = 1 + chance.nextInt(12);
        TreeSet<Integer> servers = new TreeSet<>();
        IntStream.range(0, copies + chance.nextInt(4)).forEach(servers::add);
        Chain[] chains = Seating.first(numbers(servers), seats, copies);
        int next = servers.size();
        long epoch = 1;
        for (int round = 0; round < 6; round++) {
            if (chance.nextBoolean()) {
                servers.add(next++);
            } else if (servers.size() > copies) {
                servers.remove(numbers(servers)[chance.nextInt(servers.size())]);
            }
            for (int step = 0; step < 200; step++) {
                Chain[] better = Seating.improved(chains, numbers(servers), copies, ++epoch);
                for (int seat = 0; seat < seats; seat++) {
                    assertTrue(better[seat].whole() >= copies, "fewer copies than there are to be");
                    if (better[seat].whole() < better[seat].servers().length && chance.nextInt(3) > 0) {
                        better[seat] = Seating.grown(better[seat]);
                    }
                }
                chains = better;
            }
            for (Chain chain : chains) {
                assertEquals(copies, chain.whole());
                assertEquals(copies, chain.servers().length);
                assertTrue(Arrays.stream(chain.servers()).allMatch(servers::contains));
            }
            int[] loads = new int[next];
            Arrays.stream(chains)
                    .flatMapToInt(chain -> Arrays.stream(chain.servers()))
                    .forEach(s -> loads[s]++);
            int most = servers.stream().mapToInt(server -> loads[server]).max().orElseThrow();
            int least = servers.stream().mapToInt(server -> loads[server]).min().orElseThrow();
            assertTrue(most - least < 2, "loads of " + Arrays.toString(loads));
        }
    }

    private static int[] numbers(TreeSet<Integer> servers) {
        return servers.stream().mapToInt(Integer::intValue).toArray();
    }
}
