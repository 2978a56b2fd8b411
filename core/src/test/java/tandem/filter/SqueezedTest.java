package tandem.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.wire.ProtocolError;

class SqueezedTest {

    private static final int LENGTH = 1 << 20;

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
    }
}
