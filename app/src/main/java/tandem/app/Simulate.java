package tandem.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// What can be simulated.
@Command(
        name = "simulate",
        header = "See how a distributed run would go, in virtual time.",
        customSynopsis = {
            Tandem.PROGRAM + " simulate linear --data F… --workers N --servers N [OPTIONS]",
            Tandem.PROGRAM + " simulate faults [--seeds N] [OPTIONS]%n"
        },
        commandListHeading = "%nWhat to simulate:%n")
final class Simulate implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to simulate: " + Tandem.PROGRAM + " simulate linear … or " + Tandem.PROGRAM
                        + " simulate faults");
    }
}
