package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What fuzzing of frames begins with are messages of today. Inputs of an older format are refused at once, with all
/// that is made from them, and millions of calls then try nothing.
///
/// After a change of the format, `mvn -pl core test -Dtest=FuzzInputsTest -Drenew=true` writes new ones.
class FuzzInputsTest {

    private static final Path WIRE = Path.of("src/test/resources/tandem/wire/WireFuzzInputs");
    private static final Path LINK = Path.of("src/test/resources/tandem/link/LinkFuzzInputs");
    private static final Path SHARD = Path.of("src/test/resources/tandem/CheckpointFuzzInputs/shard/seed");

    /// One of each kind, the longest of some.
    private static final Map<String, Message> MESSAGES = new LinkedHashMap<>();

    /// The kinds that have a target of their own, and its name.
    private static final Map<String, String> TARGETS = Map.of(
            "update", "parts", "rows", "values", "compute", "figures", "placed", "layout", "create", "table", "give",
            "given");

    static {
        for (long seed = 1; seed <= 20; seed++) {
            for (Message message : MadeMessages.of(seed)) {
                String name = message.getClass().getSimpleName().toLowerCase(Locale.ROOT);
                MESSAGES.merge(name, message, (a, b) -> Codec.length(a) < Codec.length(b) ? b : a);
            }
        }
    }

    @BeforeAll
    static void renew() throws IOException {
        if (!Boolean.getBoolean("renew")) {
            return;
        }
        for (var each : MESSAGES.entrySet()) {
            byte[] bytes = bytes(each.getValue());
            String name = each.getKey();
            Files.write(WIRE.resolve("frame").resolve(name), Arrays.copyOfRange(bytes, Codec.KIND_AT, bytes.length));
            if (TARGETS.containsKey(name)) {
                Path seed = WIRE.resolve(TARGETS.get(name)).resolve("seed");
                Files.write(seed, Arrays.copyOfRange(bytes, Codec.HEADER, bytes.length));
            }
            if (Files.exists(LINK.resolve("frames").resolve(name))) {
                Files.write(LINK.resolve("frames").resolve(name), bytes);
            }
            if (Files.exists(WIRE.resolve("pieces").resolve(name))) {
                ByteArrayOutputStream pieces = new ByteArrayOutputStream();
                pieces.write(new byte[] {bytes[Codec.KIND_AT], 100, 50, 20});
                pieces.write(bytes, Codec.HEADER, bytes.length - Codec.HEADER);
                Files.write(WIRE.resolve("pieces").resolve(name), pieces.toByteArray());
            }
        }
        Part part = new Part(0, 0, Keys.once(new long[] {3, 5, 8}, 3), 0, 3, 1, Values.of(new float[] {1, 2, 3}));
        ByteArrayOutputStream shard = new ByteArrayOutputStream();
        shard.write(bytes(new Message.Copy(part, false)));
        shard.write(bytes(new Message.Copy(part, true)));
        Files.write(SHARD, shard.toByteArray());
    }

    private static byte[] bytes(Message message) {
        byte[] bytes = new byte[Math.toIntExact(Codec.length(message))];
        Codec.encode(message, ByteBuffer.wrap(bytes));
        return bytes;
    }

    @Test
    void every_kind_of_message_has_an_input_that_is_read_as_one() throws IOException {
        for (var each : MESSAGES.entrySet()) {
            byte[] input = Files.readAllBytes(WIRE.resolve("frame").resolve(each.getKey()));
            Message read = Codec.decode(WireFuzz.frame(input, Codec.KIND_AT), Limits.DEFAULT);
            assertEquals(each.getValue().getClass(), read.getClass());
        }
    }

    @Test
    void so_do_kinds_that_have_a_target_of_their_own() throws IOException {
        Map<String, Integer> kinds = Map.of(
                "update",
                WireFuzz.UPDATE,
                "rows",
                WireFuzz.ROWS,
                "compute",
                WireFuzz.COMPUTE,
                "placed",
                WireFuzz.PLACED,
                "create",
                WireFuzz.CREATE,
                "give",
                WireFuzz.GIVE);
        for (var each : TARGETS.entrySet()) {
            byte[] input = Files.readAllBytes(WIRE.resolve(each.getValue()).resolve("seed"));
            Message read = Codec.decode(WireFuzz.message(input, kinds.get(each.getKey())), Limits.DEFAULT);
            assertEquals(MESSAGES.get(each.getKey()).getClass(), read.getClass());
        }
    }

    @Test
    void frames_of_connections_and_checkpoints_are_read() throws IOException {
        for (String name : new String[] {"update", "rows", "give"}) {
            byte[] input = Files.readAllBytes(LINK.resolve("frames").resolve(name));
            Codec.decode(ByteBuffer.wrap(input), Limits.DEFAULT);
        }
        byte[] shard = Files.readAllBytes(SHARD);
        int length = Codec.frameLength(ByteBuffer.wrap(shard), Limits.DEFAULT);
        Message first = Codec.decode(ByteBuffer.wrap(shard, 0, length).slice(), Limits.DEFAULT);
        assertFalse(((Message.Copy) first).last());
    }
}
