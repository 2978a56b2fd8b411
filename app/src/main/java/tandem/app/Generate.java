package tandem.app;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The kinds of data that can be generated.
@Command(
        name = "generate",
        header = "Generate data with a known truth.",
        customSynopsis = Tandem.PROGRAM + " generate ctr --rows N --out F [OPTIONS]%n",
        commandListHeading = "%nKinds of data:%n")
final class Generate implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to generate: " + Tandem.PROGRAM + " generate ctr …");
    }
}
