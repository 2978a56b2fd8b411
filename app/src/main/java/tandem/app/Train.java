package tandem.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The kinds of model that can be trained.
@Command(
        name = "train",
        header = "Train a model.",
        customSynopsis = Tandem.PROGRAM + " train linear|factor --data F… --model DIR [OPTIONS]%n",
        commandListHeading = "%nKinds of model:%n")
final class Train implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to train: " + Tandem.PROGRAM + " train linear … or train factor …");
    }
}
