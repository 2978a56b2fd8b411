package tandem;

import tandem.data.Batches;
import tandem.worker.Learned;
import tandem.worker.OnlineLoop;

/// Tells the watch how a pass goes while its threads work, and stops them when a checkpoint is due or
/// the watch asks for it. Owns one thread, until closed.
final class PassMonitor implements AutoCloseable {

    private static final long TICK_MILLIS = 50;

    private final Run run;
    private final Batches data;
    private final OnlineLoop loop;
    private final int pass;
    private final int passes;
    private final Thread thread;

    PassMonitor(Run run, Batches data, OnlineLoop loop, int pass, int passes) {
        this.run = run;
        this.data = data;
        this.loop = loop;
        this.pass = pass;
        this.passes = passes;
        thread = Thread.ofPlatform().name("tandem-monitor").daemon().start(this::watch);
    }

    private void watch() {
        Learned atStart = loop.learned();
        try {
            while (true) {
                if (run.interrupted() || run.checkpointDue()) {
                    loop.stop();
                }
                Thread.sleep(TICK_MILLIS);
                Learned learned = loop.learned().minus(atStart);
                String stage = passes == 1 ? "training" : "pass " + (pass + 1) + "/" + passes;
                run.progress(stage, (pass + data.progress()) / passes, learned);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
