package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.model.ModelCard;
import tandem.model.Precision;

class JobDirectoryTest {

    private static final ModelCard MODEL = new ModelCard("logistic", List.of("-1", "1"), Precision.F32, null, null);

    @TempDir
    Path dir;

    @Test
    void a_job_is_found_while_it_runs_and_by_its_owner_alone() throws IOException {
        JobDirectory jobs = new JobDirectory(dir.resolve("jobs"));
        JobCard card = JobCard.here("clicks", "unix:/somewhere", true, MODEL);
        try (JobDirectory.Entry entry = jobs.enter(card)) {
            assertEquals(card, jobs.job("clicks"));
            assertEquals("rwx------", permissions(dir.resolve("jobs")));
            assertEquals("rwx------", permissions(entry.directory()));
            assertThrows(IllegalArgumentException.class, () -> jobs.enter(card));
            String taken = assertThrows(IllegalArgumentException.class, () -> jobs.checkFree("clicks"))
                    .getMessage();
            assertTrue(taken.contains("runs already, in process " + card.pid() + "; choose another"), taken);
            jobs.checkFree("other");
            assertSays("no job called other is running; these are: clicks", () -> jobs.job("other"));
        }
        assertSays("no job called clicks is running; start one with", () -> jobs.job("clicks"));
        jobs.checkFree("clicks");
        assertFalse(Files.exists(dir.resolve("jobs/clicks")));
    }

    @Test
    void a_job_that_died_leaves_its_name_to_others() throws IOException {
        JobDirectory jobs = new JobDirectory(dir.resolve("jobs"));
        JobCard here = JobCard.here("clicks", "unix:/somewhere", true, MODEL);
        // The same number, but a process that started long before.
        jobs.enter(new JobCard("clicks", here.pid(), here.started() - 1000, "unix:/gone", true, MODEL, null));
        assertSays("no job called clicks is running", () -> jobs.job("clicks"));
        try (JobDirectory.Entry _ = jobs.enter(here)) {
            assertEquals("unix:/somewhere", jobs.job("clicks").coordinator());
        }
    }

    @Test
    void a_directory_that_others_may_enter_is_refused() throws IOException {
        Files.createDirectory(
                dir.resolve("open"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        JobDirectory jobs = new JobDirectory(dir.resolve("open"));
        assertSays("chmod 700", () -> jobs.enter(JobCard.here("clicks", "unix:/somewhere", true, MODEL)));
        assertSays("chmod 700", () -> jobs.job("clicks"));
    }

    @Test
    void a_name_cannot_lead_elsewhere() {
        for (String name : new String[] {"", "..", "a/b", "/etc", "-x", "a".repeat(65)}) {
            assertThrows(IllegalArgumentException.class, () -> JobDirectory.checkName(name), name);
        }
        JobDirectory.checkName("clicks-2.b_c");
    }

    private static void assertSays(String message, org.junit.jupiter.api.function.Executable act) {
        IOException error = assertThrows(IOException.class, act);
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
