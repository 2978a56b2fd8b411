package tandem.app;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Commands as one types them.
final class Words {

    private Words() {}

    /// The call with these arguments, quoted for a shell where needed.
    static String command(List<String> args) {
        return Tandem.PROGRAM + " " + args.stream().map(Words::quoted).collect(Collectors.joining(" "));
    }

    static String command(String... args) {
        return command(Arrays.asList(args));
    }

    private static String quoted(String arg) {
        return arg.matches("[A-Za-z0-9_@%+=:,./-]+") ? arg : "'" + arg.replace("'", "'\\''") + "'";
    }
}
