package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How long the end of the process waits for the work.
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class InterruptsTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private final Console console =
            new Console(OutputStream.nullOutputStream(), new PrintStream(said, true, StandardCharsets.UTF_8), false);

    private final Interrupts interrupts = new Interrupts(console, () -> {}, () -> "the last words", 20);

    @Test
    void it_does_not_wait_longer_than_its_patience() {
        interrupts.end();
        assertEquals("\ntandem: the last words\n", said.toString(StandardCharsets.UTF_8));
    }

    @Test
    void it_waits_for_what_only_has_to_be_written() throws InterruptedException {
        interrupts.finishing("the model");
        Thread ending = Thread.ofPlatform().daemon().start(interrupts::end);
        while (!said.toString(StandardCharsets.UTF_8).contains("once the model is written")) {
            Thread.onSpinWait();
        }
        assertTrue(ending.isAlive());
        Thread.ofPlatform().daemon().start(interrupts::close); // never comes back: the process is ending
        ending.join();
        assertTrue(said.toString(StandardCharsets.UTF_8).endsWith("\ntandem: the last words\n"));
    }
}
