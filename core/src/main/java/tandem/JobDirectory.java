package tandem;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tandem.link.Certificates;
import tandem.link.Trust;
import tandem.report.AtomicFile;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// Where jobs that run on this machine are found by name: a directory for each, with `job.json`. Only its owner may
/// look in, since who can reach a job can read what it learns.
public final class JobDirectory {

    private static final String FILE = "job.json";

    /// Of a job that lasts as long as no process that is there already.
    static final long NOBODY = -1;

    private static final String SECRET = "secret";
    private static final String CERTIFICATES = "certificates.json";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

    private final Path root;

    public JobDirectory(Path root) {
        this.root = root;
    }

    /// `$TANDEM_JOBS`, else `$XDG_RUNTIME_DIR/tandem`, else one of the user's own beside temporary files.
    public static JobDirectory usual() {
        String own = System.getenv("TANDEM_JOBS");
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        if (own != null && !own.isEmpty()) {
            return new JobDirectory(Path.of(own));
        }
        return new JobDirectory(
                runtime != null && !runtime.isEmpty()
                        ? Path.of(runtime, "tandem")
                        : Path.of(System.getProperty("java.io.tmpdir"), "tandem-" + System.getProperty("user.name")));
    }

    /// Refuses what cannot be the name of a job.
    public static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("--job is \"" + name
                    + "\"; a job is named by up to 64 letters, digits, dots, underscores and hyphens");
        }
    }

    /// Refuses the name of a job that runs.
    public void checkFree(String name) throws IOException {
        checkFree(name, NOBODY);
    }

    private void checkFree(String name, long own) throws IOException {
        checkName(name);
        JobCard there = find(name);
        if (there != null && there.pid() != own) {
            throw new IllegalArgumentException("--job is " + name + ", and a job of that name runs already, in process "
                    + there.pid() + "; choose another name, or wait until it is through");
        }
    }

    /// Makes a job without a secret known.
    Entry enter(JobCard card) throws IOException {
        return enter(card, null, NOBODY);
    }

    /// Makes a job known until what is given back is closed, and what its nodes know each other by, if it is not null,
    /// to the same user.
    ///
    /// @param own the process that may have a job of this name already, because it is the same job; or [#NOBODY]
    Entry enter(JobCard card, Trust trust, long own) throws IOException {
        checkName(card.name());
        Path directory = directory(card.name());
        Files.createDirectories(root, PosixFilePermissions.asFileAttribute(OWNER));
        checkOwned();
        try {
            Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(OWNER));
        } catch (FileAlreadyExistsException e) {
            checkFree(card.name(), own);
        }
        Files.deleteIfExists(directory.resolve(SECRET));
        Files.deleteIfExists(directory.resolve(CERTIFICATES));
        if (trust != null && trust.secret() != null) {
            trust.secret().write(directory.resolve(SECRET));
        }
        if (trust != null && trust.certificates() != null) {
            Certificates.Pem files = trust.certificates().files().absolute();
            AtomicFile.write(directory.resolve(CERTIFICATES), out -> out.write(Json.bytes(Named.of(files))));
        }
        AtomicFile.write(directory.resolve(FILE), out -> out.write(Json.bytes(card)));
        return new Entry(directory);
    }

    /// A job that is known as long as this is open.
    record Entry(Path directory) implements AutoCloseable {

        @Override
        public void close() throws IOException {
            RunDirectory.remove(directory);
        }
    }

    /// The job of a name, which runs.
    JobCard job(String name) throws IOException {
        checkName(name);
        JobCard card = find(name);
        if (card == null) {
            List<String> running = running();
            throw new IOException("no job called " + name + " is running; "
                    + (running.isEmpty()
                            ? "start one with train … --runtime processes --job " + name
                            : "these are: " + String.join(", ", running)));
        }
        return card;
    }

    /// The names of the files that certificates are in.
    private record Named(String certificate, String key, String authority) {

        static Named of(Certificates.Pem files) {
            return new Named(
                    files.certificate().toString(),
                    files.key().toString(),
                    files.authority().toString());
        }

        Certificates.Pem files() {
            return new Certificates.Pem(Path.of(certificate), Path.of(key), Path.of(authority));
        }
    }

    /// What the nodes of a job that runs know each other by; null if there is nothing.
    Trust trust(String name) throws IOException {
        Path secret = directory(name).resolve(SECRET);
        Path named = directory(name).resolve(CERTIFICATES);
        Certificates.Pem files = Files.exists(named)
                ? Json.read(Files.readAllBytes(named), Named.class).files()
                : null;
        return Trust.given(Files.exists(secret) ? secret : null, files, Map.of());
    }

    /// The names of the jobs that run.
    private List<String> running() throws IOException {
        List<String> names = new ArrayList<>();
        if (Files.isDirectory(root)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(root)) {
                for (Path one : all) {
                    JobCard card = find(one.getFileName().toString());
                    if (card != null) {
                        names.add(card.name());
                    }
                }
            }
        }
        names.sort(null);
        return names;
    }

    /// Null if there is none, or it ended without taking its name away.
    private JobCard find(String name) throws IOException {
        if (!Files.isDirectory(root)) {
            return null;
        }
        checkOwned();
        try {
            JobCard card = Json.read(Files.readAllBytes(directory(name).resolve(FILE)), JobCard.class);
            return card.runs() ? card : null;
        } catch (NoSuchFileException | IllegalArgumentException e) {
            return null;
        }
    }

    private void checkOwned() throws IOException {
        Set<PosixFilePermission> found = Files.getPosixFilePermissions(root);
        if (!found.equals(OWNER)) {
            throw new IOException(root + " may be entered by others than its owner ("
                    + PosixFilePermissions.toString(found)
                    + "); make it yours alone with chmod 700, or set TANDEM_JOBS to a directory that is");
        }
    }

    private Path directory(String name) {
        return root.resolve(name);
    }
}
