package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// One call of the command line within the test, and what came of it.
record Call(int code, String out, String err) {

    /// Calls with `args`; a path may be one of them.
    static Call of(Object... args) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        String[] words = Arrays.stream(args).map(Object::toString).toArray(String[]::new);
        int code;
        try (var printer = new PrintStream(err, true, StandardCharsets.UTF_8)) {
            code = Tandem.run(new Console(out, printer, false), words);
        }
        return new Call(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /// The same, for calls that are to succeed.
    static Call good(Object... args) {
        Call call = of(args);
        assertEquals(0, call.code, call.err);
        return call;
    }

    /// The one message of a call that is to fail with `code`.
    static String bad(int code, Object... args) {
        Call call = of(args);
        assertEquals(code, call.code, call.out + call.err);
        String[] messages =
                call.err.lines().filter(line -> line.startsWith("tandem: ")).toArray(String[]::new);
        assertEquals(1, messages.length, "one message, but: " + call.err);
        assertEquals(-1, call.err.indexOf("\tat "), "a stack trace: " + call.err);
        return messages[0].substring("tandem: ".length());
    }
}
