package tandem.app;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;

/// `train factor`.
@Command(
        name = "factor",
        header = "Train a factorisation machine: a linear model that also knows what pairs of features mean together.",
        customSynopsis = Tandem.PROGRAM + " train factor --data FILE… --model DIR [OPTIONS]%n",
        description = "Minimises the loss summed over all examples plus the penalties. Runs on servers and workers,"
                + " threads of this process unless --runtime says otherwise.",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " train factor --data clicks.svm --validate test.svm --dimension 8 --model m",
            "  " + Tandem.PROGRAM + " train factor --data ratings.svm --split 0.1 --loss squared --solver fm --model m"
        })
final class TrainFactor implements Callable<Integer> {

    private final Console console;
    private final List<String> args;

    @ArgGroup(validate = false, heading = "%nData%n")
    private TrainLinear.Examples examples = new TrainLinear.Examples();

    @ArgGroup(validate = false, heading = "%nHeld out, to see how good the model is%n")
    private TrainLinear.HeldOut heldOut = new TrainLinear.HeldOut();

    @ArgGroup(validate = false, heading = "%nResult%n")
    private TrainLinear.Result result = new TrainLinear.Result();

    @ArgGroup(validate = false, heading = "%nLoss%n")
    private TrainLinear.LossOptions loss = new TrainLinear.LossOptions();

    @ArgGroup(validate = false, heading = "%nSolver%n")
    private FactorOptions solver = new FactorOptions();

    @ArgGroup(validate = false, heading = "%nServers and workers%n")
    private TrainLinear.Nodes nodes = new TrainLinear.Nodes();

    @ArgGroup(validate = false, heading = "%nStart%n")
    private TrainLinear.Beginning beginning = new TrainLinear.Beginning();

    @ArgGroup(validate = false, heading = "%nRunning%n")
    private TrainLinear.Running running = new TrainLinear.Running();

    TrainFactor(Console console, String[] args) {
        this.console = console;
        this.args = List.of(args);
    }

    @Override
    public Integer call() throws IOException {
        return new TrainLinear(console, args.toArray(String[]::new))
                .about(examples, heldOut, loss, solver)
                .from(beginning)
                .on(result, nodes, running)
                .call();
    }
}
