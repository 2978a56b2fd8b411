package tandem.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsTest {

    @TempDir
    Path dir;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = dir.resolve("t.safetensors");
        Safetensors header = new Safetensors(List.of(), Map.of("format", "test"))
                .with("ids", Safetensors.Type.U64, 3)
                .with("weights", Safetensors.Type.F32, 2, 3);
        try (SafetensorsWriter writer = new SafetensorsWriter(file, header)) {
            writer.longs(new long[] {1, 2, -1}, 0, 3);
            writer.weights(new double[] {1, 2, 3, 4, 5, 6.5}, 0, 6, Precision.F32);
            assertEquals(writer.finish(), Checksum.of(file));
            assertEquals(Files.size(file), writer.bytes());
        }
    }

    @Test
    void the_bytes_are_those_of_the_format() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        int length = (int) ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
        assertEquals(0, length % 8);
        String header = new String(bytes, 8, length, StandardCharsets.UTF_8);
        assertEquals(
                "{\"__metadata__\":{\"format\":\"test\"},"
                        + "\"ids\":{\"dtype\":\"U64\",\"shape\":[3],\"data_offsets\":[0,24]},"
                        + "\"weights\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[24,48]}}",
                header.strip());
        assertEquals(8 + length + 48, bytes.length);
    }

    @Test
    void tensors_come_back() throws IOException {
        try (SafetensorsReader reader = new SafetensorsReader(file)) {
            assertArrayEquals(new long[] {1, 2, -1}, reader.longs("ids"));
            assertArrayEquals(new double[] {1, 2, 3, 4, 5, 6.5}, reader.doubles("weights"));
            assertEquals(List.of(2L, 3L), reader.header().tensor("weights").shape());
            assertThrows(IOException.class, () -> reader.longs("weights"));
            assertThrows(IOException.class, () -> reader.doubles("ids"));
            assertThrows(IOException.class, () -> reader.doubles("bias"));
        }
    }

    @Test
    void headers_that_lie_are_refused_before_anything_is_read() {
        for (String header : List.of(
                "",
                "[]",
                "{",
                "{} {}",
                "{\"a\":3}",
                "{\"a\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,16]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[-1],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1.5],\"data_offsets\":[0,8]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,0]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,16]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[99999999999999999999],\"data_offsets\":[0,16]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1000000000000],\"data_offsets\":[0,8000000000000]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]},"
                        + "\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]}}",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]},"
                        + "\"b\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[8,16]}}",
                "{\"a\":" + "[".repeat(5_000))) {
            IOException error = assertThrows(
                    IOException.class, () -> Safetensors.decode(header.getBytes(StandardCharsets.UTF_8), 16), header);
            assertNotNull(error.getMessage());
        }
    }

    @Test
    void a_header_longer_than_the_file_is_refused() throws IOException {
        for (long length : new long[] {-1, Long.MAX_VALUE, 100_000_001, 9}) {
            byte[] bytes = ByteBuffer.allocate(16)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(length)
                    .array();
            Files.write(file, bytes);
            IOException error = assertThrows(IOException.class, () -> new SafetensorsReader(file));
            assertTrue(error.getMessage().contains("claims"), error.getMessage());
        }
    }

    @Test
    void mutated_files_give_numbers_or_a_message() throws IOException {
        byte[] good = Files.readAllBytes(file);
        for (int seed = 0; seed < 1_500; seed++) {
            Random random = new Random(seed);
            byte[] bytes = Arrays.copyOf(good, good.length + random.nextInt(9) - 4);
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            Files.write(file, bytes);
            try (SafetensorsReader reader = new SafetensorsReader(file)) {
                reader.longs("ids");
                reader.doubles("weights");
            } catch (IOException e) {
                assertNotNull(e.getMessage(), "seed " + seed);
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
