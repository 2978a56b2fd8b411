package tandem;

import tandem.data.Batches;
import tandem.worker.Learned;
import tandem.worker.OnlineLoop;

/// Tells the watch and the curve how a pass goes while its threads work, and stops them when a checkpoint
/// is due or the watch asks for it. Owns one thread, until closed.
final class PassMonitor implements AutoCloseable {

    private static final long TICK_MILLIS = 50;

    /// Points of the curve in a pass, and in all passes, at most.
    private static final int POINTS = 20;

    private static final int ALL_POINTS = 100;

    private final Run run;
    private final Batches data;
    private final OnlineLoop loop;
    private final int pass;
    private final int passes;
    private final Learned atStart;
    private final Thread thread;
    private Learned drawn;

    PassMonitor(Run run, Batches data, OnlineLoop loop, int pass, int passes) {
        this.run = run;
        this.data = data;
        this.loop = loop;
        this.pass = pass;
        this.passes = passes;
        atStart = loop.learned();
        drawn = atStart;
        thread = Thread.ofPlatform().name("tandem-monitor").daemon().start(this::watch);
    }

    private void watch() {
        double step = Math.max(1.0 / POINTS, (double) passes / ALL_POINTS);
        double next = step;
        try {
            while (true) {
                if (run.interrupted() || run.checkpointDue()) {
                    loop.stop();
                }
                Thread.sleep(TICK_MILLIS);
                Learned learned = loop.learned().minus(atStart);
                String stage = passes == 1 ? "training" : "pass " + (pass + 1) + "/" + passes;
                double done = data.progress();
                run.progress(stage, (pass + done) / passes, learned);
                if (done >= next) {
                    draw();
                    next = done + step;
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Adds what was learned since the last point to the curve.
    private void draw() {
        Learned learned = loop.learned();
        if (learned.examples() > drawn.examples()) {
            run.point(learned.minus(drawn));
            drawn = learned;
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
        draw();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
