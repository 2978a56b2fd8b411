package tandem.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.wire.ProtocolError;

class SqueezedTest {

    private static final int LENGTH = 1 << 20;

    /// Where squeezed bytes say how many they were.
    private static final int LENGTH_AT = 1;

    static Stream<Bytes> squeezers() {
        return Stream.of(new Lz4(), new Zstd(1));
    }

    @ParameterizedTest
    @MethodSource("squeezers")
    void a_few_bytes_do_not_become_more_than_there_is_room_for(Bytes squeezer) {
        byte[] bytes = new byte[LENGTH];
        byte[] packed = squeezer.pack(bytes);
        assertTrue(packed.length < LENGTH / 100);
        assertArrayEquals(bytes, squeezer.unpack(packed, LENGTH));
        assertThrows(ProtocolError.class, () -> squeezer.unpack(packed, LENGTH - 1));
        byte[] asTheyAre = new byte[11];
        assertThrows(ProtocolError.class, () -> squeezer.unpack(asTheyAre, 9));
    }

    @ParameterizedTest
    @MethodSource("squeezers")
    void bytes_that_become_fewer_than_they_announce_are_refused(Bytes squeezer) {
        byte[] packed = squeezer.pack(new byte[100]);
        assertEquals(100, packed[LENGTH_AT]);
        packed[LENGTH_AT]++;
        refused(squeezer, packed, "100 bytes where 101 were announced");
    }

    @ParameterizedTest
    @MethodSource("squeezers")
    void bytes_that_were_not_squeezed_are_refused(Bytes squeezer) {
        byte[] packed = squeezer.pack(new byte[100]);
        refused(squeezer, Arrays.copyOf(packed, packed.length - 1), "damaged");
        packed[0] = 2;
        refused(squeezer, packed, "of form 2");
    }

    private static void refused(Bytes squeezer, byte[] packed, String why) {
        String said = assertThrows(ProtocolError.class, () -> squeezer.unpack(packed, LENGTH))
                .getMessage();
        assertTrue(said.contains(why), said);
    }
}
