package tandem.app;

import java.util.function.BooleanSupplier;
import tandem.Watch;
import tandem.report.Progress;

/// Shows on standard error how long work goes on, or with `quiet` nothing.
final class Screen implements Watch {

    private final Console console;
    private final boolean quiet;
    private final BooleanSupplier stopping;
    private final Runnable learned;
    private Progress progress;

    Screen(Console console, boolean quiet, BooleanSupplier stopping) {
        this(console, quiet, stopping, () -> {});
    }

    /// @param learned hears that all is learned
    Screen(Console console, boolean quiet, BooleanSupplier stopping, Runnable learned) {
        this.console = console;
        this.quiet = quiet;
        this.stopping = stopping;
        this.learned = learned;
    }

    @Override
    public synchronized void progress(String stage, double done, long examples, double loss) {
        if (quiet) {
            return;
        }
        if (progress == null) {
            progress = new Progress(console::draw, console.terminal(), System::nanoTime);
        }
        progress.update(stage, done, examples, loss);
    }

    @Override
    public synchronized void note(String line) {
        if (!quiet) {
            clear();
            console.say(line);
        }
    }

    @Override
    public void learned() {
        learned.run();
    }

    @Override
    public boolean stopping() {
        return stopping.getAsBoolean();
    }

    /// Takes the progress line away.
    synchronized void clear() {
        if (progress != null) {
            progress.clear();
        }
    }
}
