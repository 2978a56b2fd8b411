package tandem.link;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class SecretTest {

    private static final String TEXT = "correct horse battery staple, or so";
    private static final byte[] BINDING = new byte[32];

    @TempDir
    Path folder;

    @Test
    void it_comes_from_the_file_named_else_from_the_environment() throws IOException {
        Path file = file(TEXT + "\n", "rw-------");
        byte[] expected = Secret.of(TEXT, "here").proof(Secret.End.OPENER, BINDING);
        Map<String, String> named = Map.of(Secret.FILE_VARIABLE, file.toString(), Secret.VARIABLE, "not this one");
        Map<String, String> itself = Map.of(Secret.VARIABLE, TEXT, Secret.FILE_VARIABLE, "");
        assertArrayEquals(expected, Secret.given(file, Map.of()).proof(Secret.End.OPENER, BINDING));
        assertArrayEquals(expected, Secret.given(null, named).proof(Secret.End.OPENER, BINDING));
        assertArrayEquals(expected, Secret.given(null, itself).proof(Secret.End.OPENER, BINDING));
        assertNull(Secret.given(null, Map.of("HOME", "/")));
        Secret.of(TEXT, "here").write(folder.resolve("copy"));
        assertArrayEquals(expected, Secret.read(folder.resolve("copy")).proof(Secret.End.OPENER, BINDING));
    }

    @Test
    void a_file_that_others_may_use_and_a_secret_that_can_be_guessed_are_refused() throws IOException {
        for (String others : new String[] {"rw-r-----", "rw----r--", "rw--w----"}) {
            Path open = file(TEXT, others);
            assertSays(
                    "may be used by others than its owner (" + others + "); keep it to yourself with chmod 600",
                    () -> Secret.read(open));
        }
        Path shorter = file("hunter2", "rw-------");
        assertSays("has 7 bytes; it must have 32 to 4096", () -> Secret.read(shorter));
        Path longer = file("x".repeat(4097), "rw-------");
        assertSays("has 4097 bytes; a secret has at most 4096", () -> Secret.read(longer));
        assertSays("has 4097 bytes; it must have 32 to 4096", () -> Secret.of("x".repeat(4097)));
        assertSays("there is no secret in", () -> Secret.read(folder.resolve("nowhere")));
        assertSays(
                "the secret in TANDEM_SECRET has 7 bytes",
                () -> Secret.given(null, Map.of(Secret.VARIABLE, "hunter2")));
    }

    @Test
    void nothing_that_is_said_has_it() throws IOException {
        assertEquals("a secret", Secret.of(TEXT, "here").toString());
        Path shorter = file("hunter2", "rw-------");
        Exception e = assertThrows(IllegalArgumentException.class, () -> Secret.read(shorter));
        assertFalse(e.getMessage().contains("hunter2"), e.getMessage());
    }

    /// HMAC-SHA-256 by hand: `printf 'tandem OPENER' | cat - zeros | openssl dgst -sha256 -hmac "$TEXT"`.
    @Test
    void a_proof_depends_on_the_secret_the_end_and_the_session() {
        Secret secret = Secret.of(TEXT, "here");
        String proof = HexFormat.of().formatHex(secret.proof(Secret.End.OPENER, BINDING));
        assertEquals("a3d7fa65fb9954ec06d18b54a1be703461a7b37450c01d49caafb4a935b71e77", proof);
        byte[] otherSession = {1};
        for (byte[] other : new byte[][] {
            secret.proof(Secret.End.LISTENER, BINDING),
            secret.proof(Secret.End.OPENER, otherSession),
            Secret.of(TEXT + "?", "here").proof(Secret.End.OPENER, BINDING)
        }) {
            assertFalse(proof.equals(HexFormat.of().formatHex(other)));
        }
    }

    private Path file(String text, String rights) throws IOException {
        Path file = Files.createTempFile(folder, "secret", "");
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static void assertSays(String words, Executable call) {
        Exception e = assertThrows(Exception.class, call);
        assertTrue(e.getMessage().contains(words), e.getMessage());
    }
}
