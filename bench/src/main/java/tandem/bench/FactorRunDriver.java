package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import tandem.Solver;
import tandem.Where;

/// Trains one of our factorisation machines from text to a model on disk and judges it on held-out rows, as a program
/// of its own.
public final class FactorRunDriver {

    private FactorRunDriver() {}

    /// Arguments: a folder for what is needed meanwhile, the file to learn from, the one to predict, `fm` or `difacto`,
    /// the dimension, the number of workers, the passes, the seed.
    public static void main(String[] args) throws Exception {
        Solver.Factors solver = args[3].equals("fm") ? Solver.Factors.PLAIN : Solver.Factors.ADAPTIVE;
        try (Workspace work = new Workspace(Path.of(args[0]))) {
            FactorRun run = new FactorRun(
                    work, Path.of(args[1]), Path.of(args[2]), new Where.Embedded(), Integer.parseInt(args[5]));
            FactorRun.Judged found = run.judged(
                    solver.withDimension(Integer.parseInt(args[4])),
                    Integer.parseInt(args[6]),
                    Long.parseLong(args[7]));
            System.out.println("logloss " + found.logloss());
        }
    }

    static Trial run(FactorRun run, Solver.Factors solver, int passes, long seed)
            throws IOException, InterruptedException {
        List<String> arguments = List.of(
                run.work().folder().toString(),
                run.training().toString(),
                run.heldOut().toString(),
                solver.label(),
                String.valueOf(solver.dimension()),
                String.valueOf(run.workers()),
                String.valueOf(passes),
                String.valueOf(seed));
        Child.Run child = Child.run(
                Child.java(List.of(), List.of(), FactorRunDriver.class.getName(), arguments),
                run.work().folder());
        return child.trial().withLogloss(child.after("logloss "));
    }
}
