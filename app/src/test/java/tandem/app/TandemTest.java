package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TandemTest {

    @Test
    void alone_it_shows_what_it_can_do_and_how_to_start() {
        Call call = Call.good();
        for (String word : List.of("demo", "train", "evaluate", "predict", "inspect", "export", "generate", "bench")) {
            assertTrue(call.out().contains("\n  " + word), word + " is not in\n" + call.out());
        }
        assertTrue(call.out().contains("./tandem demo"), call.out());
        assertEquals("", call.err());
    }

    @Test
    void it_knows_its_version() {
        assertTrue(
                Call.good("--version").out().startsWith("tandem 0."),
                Call.of("--version").out());
    }

    @Test
    void every_command_has_help_that_fits_the_screen() {
        List<String[]> commands = List.of(
                new String[] {"demo"},
                new String[] {"train"},
                new String[] {"train", "linear"},
                new String[] {"evaluate"},
                new String[] {"predict"},
                new String[] {"inspect"},
                new String[] {"export"},
                new String[] {"generate"},
                new String[] {"generate", "ctr"});
        for (String[] command : commands) {
            Object[] args = java.util.Arrays.copyOf(command, command.length + 1, Object[].class);
            args[command.length] = "--help";
            Call call = Call.good(args);
            assertEquals("", call.err());
            String help = call.out();
            assertTrue(help.contains("Usage: ./tandem " + String.join(" ", command)), help);
            assertTrue(help.lines().allMatch(line -> line.length() <= 100), help);
        }
    }

    @Test
    void help_is_a_command_too() {
        assertEquals(Call.good("--help").out(), Call.good("help").out());
        assertEquals(
                Call.good("train", "linear", "--help").out(),
                Call.good("help", "train", "linear").out());
    }

    @Test
    void an_unknown_option_gets_the_nearest_one_suggested() {
        String message = Call.bad(2, "train", "linear", "--dta", "x", "--model", "m");
        assertTrue(message.contains("--dta") && message.contains("did you mean --data?"), message);
        String after = Call.bad(2, "train", "linear", "--data", "x", "--modle", "m");
        assertTrue(after.contains("--modle") && after.contains("did you mean --model?"), after);
    }

    @Test
    void an_unknown_command_gets_the_nearest_one_suggested() {
        assertTrue(Call.bad(2, "trian").contains("did you mean train?"));
        assertTrue(Call.bad(2, "train", "liner").contains("did you mean linear?"));
    }

    @Test
    void an_option_given_twice_is_refused_before_others_of_its_group_are_forgotten() {
        String message = "--workers is given twice; keep one of them. See ./tandem train linear --help";
        assertEquals(
                message,
                Call.bad(2, "train", "linear", "--data", "x", "--workers", "2", "--servers", "3", "--workers=4"));
        assertEquals(
                "--out is given twice; keep one of them. See ./tandem predict --help",
                Call.bad(2, "predict", "--out", "a", "--out", "b"));
    }

    @Test
    void a_word_that_is_no_number_is_named_by_its_place() {
        assertEquals(
                "ID is 'x'; it takes a whole number. See ./tandem cluster --help",
                Call.bad(2, "cluster", "remove-server", "x", "--job", "j"));
    }

    @Test
    void a_number_that_is_none_is_named_with_its_option() {
        String message = Call.bad(2, "train", "linear", "--data", "x", "--model", "m", "--l1", "much");
        assertTrue(message.startsWith("--l1 is 'much'; it takes a number"), message);
    }

    @Test
    void a_choice_that_is_none_lists_the_choices() {
        String message = Call.bad(2, "train", "linear", "--data", "x", "--model", "m", "--solver", "magic");
        assertTrue(
                message.contains(
                        "auto, batch, dbpg, lbfgs, sdca, ftrl, adagrad, adadelay, averaging, downpour, emso-cd,"
                                + " emso-gd, sgd"),
                message);
    }

    @Test
    void a_machine_takes_what_suits_it() {
        String[] train = {"train", "factor", "--data", "x", "--model", "m"};
        assertRefused("--solver is 'magic'; it takes difacto, fm", train, "--solver", "magic");
        assertRefused("--threshold says which features get factors", train, "--solver", "fm", "--threshold", "3");
        assertRefused("--dimension", train, "--dimension", "-1");
        assertRefused("--dimension", train, "--dimension", "1025");
        assertRefused("--factor-scale", train, "--factor-scale", "0");
        assertRefused("--factor-scale", train, "--factor-scale", "5");
    }

    private static void assertRefused(String why, String[] command, String... options) {
        Object[] words = Stream.of(command, options).flatMap(Stream::of).toArray();
        String message = Call.bad(2, words);
        assertTrue(message.contains(why), message);
    }

    @Test
    void a_command_without_its_kind_says_which_there_are() {
        assertTrue(Call.bad(2, "train").contains("train linear … or train factor"));
        assertTrue(Call.bad(2, "generate").contains("generate ctr"));
    }

    @Test
    void help_on_training_names_every_solver() {
        String help = Call.good("train", "linear", "--help").out();
        String solvers = help.substring(help.indexOf("--solver=NAME"), help.indexOf("--passes=N"));
        for (SolverOptions.Name solver : SolverOptions.Name.values()) {
            assertTrue(solvers.matches("(?s).*\\b" + solver + "\\b.*"), solver + " is not among them:\n" + solvers);
        }
    }

    @Test
    void help_on_training_lists_every_option_under_its_heading() {
        String help = Call.good("train", "linear", "--help").out();
        int data = help.indexOf("\nData\n");
        int heldOut = help.indexOf("\nHeld out");
        for (String option :
                new String[] {"--data", "--bad-lines", "--weights", "--format", "--columns", "--hash-bits"}) {
            int at = help.indexOf("\n      " + option + "=");
            assertTrue(data < at && at < heldOut, option + " is not under Data:\n" + help);
        }
        int nodes = help.indexOf("\nServers and workers\n");
        for (String option : new String[] {"--workers", "--bandwidth"}) {
            int at = help.indexOf("\n      " + option + "=");
            assertTrue(nodes < at, option + " is not under Servers and workers:\n" + help);
        }
    }
}
