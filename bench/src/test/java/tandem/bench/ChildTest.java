package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildTest {

    @Test
    void a_number_is_found_after_its_label_the_last_time_it_was_printed() {
        Child.Run run = new Child.Run(Trial.of(1, 1), "Objective value = 5\nObjective value = -1.25e-3 and so on");
        assertEquals(-1.25e-3, run.after("Objective value = "));
        assertTrue(Double.isNaN(run.after("loss ")));
    }

    @Test
    void a_program_that_fails_is_named_with_its_exit_code_and_last_words(@TempDir Path folder) {
        IOException e = assertThrows(
                IOException.class, () -> Child.run(List.of("sh", "-c", "echo first; echo no disk; exit 3"), folder));
        assertTrue(e.getMessage().contains("exit code 3: no disk"), e.getMessage());
    }

    @Test
    void processor_time_of_a_program_is_counted(@TempDir Path folder) throws Exception {
        String spin = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        Trial trial = Child.run(List.of("sh", "-c", spin), folder).trial();
        assertTrue(trial.cpuSeconds() > 0, trial::toString);
        assertTrue(trial.wallSeconds() > 0, trial::toString);
    }
}
