package tandem.app;

import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Takes the next word as the value of an option even if it starts with a dash, as `-1,1` does.
final class Dashed implements IParameterConsumer {

    @Override
    public void consumeParameters(Stack<String> args, ArgSpec arg, CommandSpec command) {
        if (args.isEmpty() || args.peek().startsWith("--")) {
            String name = arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
            throw new MissingParameterException(
                    command.commandLine(), arg, name + " needs a value: " + arg.paramLabel());
        }
        arg.setValue(args.pop());
    }
}
