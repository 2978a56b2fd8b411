package tandem.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class MixTest {

    @Test
    void unmixing_gives_back_every_id() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long id = random.nextInt(4) == 0 ? i : random.nextLong();
            assertEquals(id, Mix.unmix(Mix.mix(id)));
            assertEquals(id, Mix.mix(Mix.unmix(id)));
        }
        for (long id : new long[] {0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertEquals(id, Mix.unmix(Mix.mix(id)));
        }
    }

    @Test
    void small_ids_spread_over_the_whole_key_space() {
        int[] counts = new int[64];
        for (long id = 0; id < 64_000; id++) {
            counts[(int) (Mix.mix(id) >>> 58)]++;
        }
        for (int count : counts) {
            assertTrue(count > 800 && count < 1200, "a 64th of the space holds " + count + " of 64,000 keys");
        }
    }

    /// The first numbers of splitmix64 from the state 1234567, as published with it.
    @Test
    void mixing_is_the_finaliser_of_splitmix64() {
        String[] published = {
            "6457827717110365317",
            "3203168211198807973",
            "9817491932198370423",
            "4593380528125082431",
            "16408922859458223821"
        };
        long state = 1234567;
        for (String number : published) {
            state += 0x9e3779b97f4a7c15L;
            assertEquals(number, Long.toUnsignedString(Mix.mix(state)));
        }
    }
}
