package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.runtime.Processes;

/// Runs whose processes know each other by certificates, as a user starts them.
@Timeout(120)
class CertificatesRunTest {

    private static final int ROWS = 2_000;

    @TempDir
    private Path at;

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void files() throws Exception {
        Clicks.DEFAULT.withRows(ROWS).withFeatures(2_000).write(at.resolve("clicks.svm"), 1, _ -> {});
        make("ours");
        make("theirs");
    }

    @AfterEach
    void noneIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void a_run_learns_from_all_examples() throws IOException {
        Call.good(train(3, "ours", "ours", "ours"));
        JsonNode report = new ObjectMapper().readTree(at.resolve("report.json").toFile());
        assertEquals(3L * ROWS, report.get("examples").asLong());
        assertTrue(Files.exists(at.resolve("model").resolve("model.json")));
    }

    @Test
    void who_has_a_certificate_of_the_authority_joins_and_others_are_refused_in_one_message() throws Exception {
        Process run = start("run", train(1_000_000, "ours", "ours", "ours"));
        String place = await(run, "run", "node --join (\\S+)");
        String foreign = Call.bad(1, join(place, "theirs"));
        assertTrue(foreign.contains("its certificate is not of the authority that this node trusts"), foreign);
        String without = Call.bad(1, "node", "--role", "worker", "--join", place, "--secret-file", secret());
        assertTrue(without.contains("it refuses the certificate of this node"), without);
        Process worker = start("worker", join(place, "ours"));
        assertEquals("1", await(worker, "worker", "worker (\\d+) of the job"));
    }

    @Test
    void files_that_do_not_belong_together_end_the_run_before_it_begins() {
        String other = Call.bad(1, train(1, "ours", "ours", "theirs"));
        assertTrue(other.contains("is not one that the authority in " + at.resolve("theirs.pem")), other);
        String key = Call.bad(1, train(1, "ours", "theirs", "ours"));
        assertEquals("the key in " + at.resolve("theirs.key") + " is not that of the certificate", key);
        assertTrue(Files.notExists(at.resolve("model")));
    }

    private Object[] train(int passes, String certificate, String key, String authority) {
        List<Object> words = new ArrayList<>(List.of("train", "linear", "--data", at.resolve("clicks.svm")));
        words.addAll(List.of("--runtime", "processes", "--transport", "tcp", "--listen", "127.0.0.2:0"));
        words.addAll(List.of("--workers", 1, "--servers", 2, "--replicas", 1, "--streams", 2, "--solver", "ftrl"));
        words.addAll(List.of("--passes", passes, "--update-rows", 100, "--cache", at.resolve("cache")));
        words.addAll(List.of("--model", at.resolve("model"), "--report", at.resolve("report.json")));
        words.addAll(trust(certificate, key, authority));
        return words.toArray();
    }

    private Object[] join(String place, String whose) {
        List<Object> words = new ArrayList<>(List.of("node", "--role", "worker", "--join", place));
        words.addAll(trust(whose, whose, whose));
        return words.toArray();
    }

    private List<Object> trust(String certificate, String key, String authority) {
        return List.of(
                "--tls-cert",
                at.resolve(certificate + ".pem"),
                "--tls-key",
                at.resolve(key + ".key"),
                "--tls-ca",
                at.resolve(authority + ".pem"));
    }

    private Path secret() throws IOException {
        return own(at.resolve("secret"), "a secret of a test, which is long enough");
    }

    private Process start(String name, Object... arguments) throws IOException {
        List<String> words = new ArrayList<>(List.of(Processes.java(), "-cp", System.getProperty("java.class.path")));
        words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", Tandem.class.getName()));
        for (Object argument : arguments) {
            words.add(argument.toString());
        }
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(at.resolve(name).toFile())
                .start();
        started.add(process);
        return process;
    }

    private String said(String name) {
        try {
            return Files.readString(at.resolve(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /// What a process says in this place of a line, once it has said it.
    private String await(Process process, String name, String line) throws InterruptedException {
        while (process.isAlive()) {
            Matcher said = Pattern.compile(line).matcher(said(name));
            if (said.find()) {
                return said.group(1);
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        throw new AssertionError("it ended before it said " + line + ":\n" + said(name));
    }

    /// A certificate that is its own authority, by the `keytool` of the JDK.
    private void make(String name) throws Exception {
        String password = "no secret";
        Path store = at.resolve(name + ".store");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        name,
                        "-dname",
                        "CN=" + name,
                        "-storepass",
                        password,
                        "-keystore",
                        store.toString())
                .redirectErrorStream(true)
                .start();
        String complaint = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), complaint);
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            made.load(in, password.toCharArray());
        }
        Files.writeString(
                at.resolve(name + ".pem"),
                pem("CERTIFICATE", made.getCertificate(name).getEncoded()));
        own(
                at.resolve(name + ".key"),
                pem("PRIVATE KEY", made.getKey(name, password.toCharArray()).getEncoded()));
    }

    private static Path own(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private static String pem(String what, byte[] bytes) {
        String lines = Base64.getMimeEncoder().encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
    }
}
