package tandem.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The kinds of run that can be simulated.
@Command(
        name = "simulate",
        header = "See how a distributed run would go, in virtual time.",
        customSynopsis = Tandem.PROGRAM + " simulate linear --data F… --workers N --servers N [OPTIONS]%n",
        commandListHeading = "%nKinds of model:%n")
final class Simulate implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to simulate: " + Tandem.PROGRAM + " simulate linear …");
    }
}
