package tandem.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// What all nodes of a job know and nobody else does. It comes from a file or the environment, never from the command
/// line, which others on the machine can see; nothing shows it.
public final class Secret {

    /// The variables it comes from where no file is named.
    public static final String FILE_VARIABLE = "TANDEM_SECRET_FILE";

    public static final String VARIABLE = "TANDEM_SECRET";

    static final int PROOF_BYTES = 32;

    /// Who could guess the secret could check the guess against a proof, so it must be too long to guess.
    private static final int LEAST_BYTES = 32;

    private static final int MOST_BYTES = 4096;
    private static final String MAKE_ONE = "; make one with: (umask 077; openssl rand -hex 32 > FILE)";

    private static final Set<PosixFilePermission> OWNER =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /// One end of a connection.
    enum End {
        OPENER,
        LISTENER
    }

    /// A secret of at least 32 bytes; `from` says where it was found.
    static Secret of(String text, String from) {
        byte[] bytes = text.strip().getBytes(StandardCharsets.UTF_8);
        if (bytes.length < LEAST_BYTES || bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("the secret in " + from + " has " + bytes.length
                    + " bytes; it must have " + LEAST_BYTES + " to " + MOST_BYTES + ", chosen by chance" + MAKE_ONE);
        }
        return new Secret(bytes);
    }

    /// One that has come by a way that others cannot see.
    public static Secret of(String text) {
        return of(text, "what was handed over");
    }

    /// The one in a file that only its owner may read.
    public static Secret read(Path file) throws IOException {
        try {
            checkOwned(file, "the secret");
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(
                        file + " has " + Files.size(file) + " bytes; a secret has at most " + MOST_BYTES + MAKE_ONE);
            }
            return of(Files.readString(file), file.toString());
        } catch (NoSuchFileException e) {
            throw new IOException("there is no secret in " + file + MAKE_ONE, e);
        }
    }

    /// Refuses a file that others than its owner may read or write.
    static void checkOwned(Path file, String what) throws IOException {
        Set<PosixFilePermission> found = Files.getPosixFilePermissions(file);
        if (!OWNER.containsAll(found)) {
            throw new IOException(what + " in " + file + " may be used by others than its owner ("
                    + PosixFilePermissions.toString(found) + "); keep it to yourself with chmod 600 " + file);
        }
    }

    /// The one in `file`, or if that is null the one that the environment gives; null if it gives none.
    public static Secret given(Path file, Map<String, String> environment) throws IOException {
        String named = environment.getOrDefault(FILE_VARIABLE, "");
        String itself = environment.getOrDefault(VARIABLE, "");
        if (file != null || !named.isEmpty()) {
            return read(file != null ? file : Path.of(named));
        }
        return itself.isEmpty() ? null : of(itself, VARIABLE);
    }

    /// Writes it to a new file that only its owner may read.
    public void write(Path file) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER));
        Files.write(file, bytes);
    }

    /// Proves to the other end of the TLS session that `binding` is of, and to nobody else, that this end knows it.
    byte[] proof(End end, byte[] binding) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(bytes, "HmacSHA256"));
            mac.update(("tandem " + end).getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(binding);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no HMAC-SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "a secret";
    }
}
