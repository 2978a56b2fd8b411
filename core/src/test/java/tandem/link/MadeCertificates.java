package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/// Certificates for tests, made by the `keytool` of the JDK.
public final class MadeCertificates {

    private static final String PASSWORD = "no secret";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private final Path folder;

    /// An authority `name`, whose files are in `folder`.
    public MadeCertificates(Path folder, String name) throws Exception {
        this.folder = Files.createDirectory(folder.resolve(name));
        make("authority", "-ext", "bc:c", "-validity", "30");
        write("authority");
    }

    /// A certificate of this authority, with more options for `keytool`.
    public Certificates.Pem node(String name, String... more) throws Exception {
        List<String> options = new ArrayList<>(List.of("-signer", "authority"));
        options.addAll(List.of(more));
        make(name, options.toArray(String[]::new));
        write(name);
        return new Certificates.Pem(file(name + ".pem"), file(name + ".key"), file("authority.pem"));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private void make(String name, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-storepass",
                PASSWORD,
                "-keystore",
                file("store").toString()));
        command.addAll(List.of(more));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
    }

    private void write(String name) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file("store"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        Files.writeString(
                file(name + ".pem"),
                pem("CERTIFICATE", store.getCertificate(name).getEncoded()));
        Path key = file(name + ".key");
        Files.writeString(
                key,
                pem("PRIVATE KEY", store.getKey(name, PASSWORD.toCharArray()).getEncoded()));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    private static String pem(String what, byte[] bytes) {
        return "-----BEGIN " + what + "-----\n" + LINES.encodeToString(bytes) + "\n-----END " + what + "-----\n";
    }
}
