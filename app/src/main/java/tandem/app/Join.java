package tandem.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.Volunteer;
import tandem.link.Place;
import tandem.link.Trust;
import tandem.wire.Address;

/// `node`: one more server or worker for a job that runs on another machine.
@Command(
        name = "node",
        header = "Join a running job from this machine, as one of its servers or workers.",
        customSynopsis = Tandem.PROGRAM + " node --role server|worker --join HOST:PORT --secret-file FILE [OPTIONS]%n",
        optionListHeading = "%nOptions:%n",
        sortOptions = false,
        footer = {
            "",
            "The job was started with train … --runtime processes --listen HOST:PORT --secret-file FILE, with the same"
                    + " secret. Ctrl-C leaves it: others get what this node has before it ends.",
            "",
            "Examples:",
            "  " + Tandem.PROGRAM
                    + " node --role worker --join 192.0.2.7:7000 --secret-file s --data copy-of-the.cache",
            "  " + Tandem.PROGRAM + " node --role server --join 192.0.2.7:7000 --secret-file s"
        })
final class Join implements Callable<Integer> {

    enum Role {
        server,
        worker
    }

    private final Console console;

    @Option(names = "--role", paramLabel = "server|worker", description = "What to be.")
    private Role role;

    @Option(
            names = "--join",
            paramLabel = "HOST:PORT",
            description = "Where the job listens: what train --listen said.")
    private String join;

    @ArgGroup(validate = false)
    private TrustOptions trust = new TrustOptions();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where other nodes reach this one. Default: any free port of the address that leads to the"
                    + " job.")
    private String listen;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description = "For a worker: the job's cache of its data, copied to this machine; it is compared with the"
                    + " one there. Default: the same path as there.")
    private Path data;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "How long the job may be silent before this gives up. Default: 30s.")
    private String timeout;

    Join(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws IOException {
        Check.given("--role", role, "what to be: --role server or --role worker");
        Check.given("--join", join, "where the job listens, such as --join 192.0.2.7:7000");
        if (data != null && role == Role.server) {
            throw new IllegalArgumentException("--data is for --role worker; servers read no data. Leave it out");
        }
        Trust known = Check.given(
                "--secret-file", trust.trust(), "the secret of the job, such as --secret-file s, or certificates");
        Volunteer volunteer = new Volunteer(
                role == Role.server ? Address.Role.SERVER : Address.Role.WORKER,
                Place.Tcp.of("--join", join),
                listen == null ? null : Place.Tcp.of("--listen", listen),
                known,
                data,
                timeout == null ? Duration.ofSeconds(30) : Check.duration("--timeout", timeout));
        try (var _ = new Interrupts(console, () -> leave(volunteer), () -> "stopped")) {
            volunteer.run(note -> console.say("tandem: " + note));
        }
        return 0;
    }

    /// Hands over what this node has before it ends.
    private void leave(Volunteer volunteer) {
        try {
            volunteer.leave();
        } catch (IOException | RuntimeException e) {
            console.say("tandem: the job was not left in order: " + e.getMessage()
                    + "; it goes on as if this node had been lost");
        }
    }
}
