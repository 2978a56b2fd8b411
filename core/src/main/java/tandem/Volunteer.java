package tandem;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import tandem.client.Overdue;
import tandem.data.Batches;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.report.Json;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// A server or worker that joins a running job by itself, from this machine or another: it asks the coordinator which
/// number it gets and what there is to do, and is a node like any other until it is sent home.
public final class Volunteer {

    private final Address.Role role;
    private final Place.Tcp coordinator;
    private final Place.Tcp listen;
    private final Trust trust;
    private final Path cache;
    private final Duration patience;

    /// Which node this is; null while it is none.
    private volatile Address self;

    /// @param role        `SERVER` or `WORKER`
    /// @param coordinator where the job can be reached
    /// @param listen      where this node is to be reached; null for the address that leads to the coordinator
    /// @param trust       that of the job
    /// @param cache       the data of the job on this machine; null if it is where the coordinator has it
    /// @param patience    how long the coordinator may be silent before it is given up
    public Volunteer(
            Address.Role role, Place.Tcp coordinator, Place.Tcp listen, Trust trust, Path cache, Duration patience) {
        this.role = role;
        this.coordinator = coordinator;
        this.listen = listen;
        this.trust = trust;
        this.cache = cache;
        this.patience = patience;
    }

    /// Which node to be, and what there is to do.
    ///
    /// @param data what the file of batches must be that workers read
    record Invitation(int number, NodeProcess.Work work, String data) {}

    /// Joins, and returns when the job sends it home.
    ///
    /// @param notes told what happens
    public void run(Consumer<String> notes) throws IOException {
        Place.Tcp own = listen == null ? towards(coordinator) : listen;
        own.checkReachable();
        try (Sockets ground = new Sockets(own, coordinator, trust, LinkLimits.DEFAULT, Shape.NONE)) {
            Invitation invitation = ask();
            NodeProcess.Work work = checked(invitation);
            self = new Address(role, invitation.number);
            notes.accept(self + " of the job at " + coordinator + ", reached at " + ground.place());
            NodeProcess.live(ground, self, work, 1);
            notes.accept(self + " goes: the job is through, or goes on without it");
        } catch (Overdue | Sockets.Refused e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /// Has the job go on without this node, and returns when others have what it had; [#run] returns then too. Any
    /// thread may call it. An [IllegalArgumentException] says why that cannot be.
    public void leave() throws IOException {
        Address leaving = self;
        if (leaving != null) {
            String what = role == Address.Role.SERVER ? "remove-server" : "remove-worker";
            JobControl.ask(coordinator, trust, patience, what, leaving.number());
        }
    }

    private Invitation ask() throws IOException {
        try {
            String what = role == Address.Role.SERVER ? "join-server" : "join-worker";
            return Json.read(
                    JobControl.ask(coordinator, trust, patience, what, -1).getBytes(StandardCharsets.UTF_8),
                    Invitation.class);
        } catch (Overdue e) {
            throw new IOException(
                    "no job has answered at " + coordinator + " for " + patience.toSeconds()
                            + " s; see whether it runs, listens there (train … --listen) and has a secret or"
                            + " certificates, or raise --timeout",
                    e);
        }
    }

    /// Refuses what this machine has no files for: better now than when they are needed.
    private NodeProcess.Work checked(Invitation invitation) throws IOException {
        return role == Address.Role.SERVER ? withDirectories(invitation.work) : withData(invitation);
    }

    static NodeProcess.Work withDirectories(NodeProcess.Work work) throws IOException {
        ServerFiles files = work.job().files();
        check(Files::isWritable, "write to", Path.of(files.draft()));
        if (files.kept() != null) {
            Path kept = Path.of(files.kept());
            // Made with the first checkpoint.
            check(Files::isWritable, "write to", Files.exists(kept) ? kept : kept.getParent());
        }
        for (String read : Arrays.asList(files.start(), files.from(), files.places())) {
            if (read != null) {
                check(Files::isReadable, "read from", Path.of(read));
            }
        }
        return work;
    }

    private static void check(Predicate<Path> usable, String what, Path place) throws IOException {
        if (!usable.test(place)) {
            throw new IOException("servers of this job " + what + " " + place
                    + ", which is not here or not open to you; a server can join where that is shared");
        }
    }

    private NodeProcess.Work withData(Invitation invitation) throws IOException {
        String there = invitation.work.cache();
        Path data = cache == null ? Path.of(there) : cache;
        if (!Files.isReadable(data)) {
            throw new IOException("the data of this job is in the file " + there + " of its machine, and " + data
                    + " is not here; copy that file and name the copy with --data");
        }
        String found;
        try {
            found = Batches.fingerprint(data);
        } catch (IOException e) {
            throw new IOException(
                    data + " cannot be read as the data of a job: " + e.getMessage() + "; copy " + there + " again", e);
        }
        if (!found.equals(invitation.data)) {
            throw new IOException(data + " holds other data than the job learns from (" + found + ", not "
                    + invitation.data + "); copy " + there + " again");
        }
        return new NodeProcess.Work(invitation.work.job(), data.toString(), invitation.work.coordinator());
    }

    /// Any free port of the address that this machine has towards a place.
    static Place.Tcp towards(Place.Tcp there) throws IOException {
        try (DatagramSocket probe = new DatagramSocket()) {
            probe.connect(new InetSocketAddress(there.host(), there.port())); // which sends nothing
            return new Place.Tcp(probe.getLocalAddress().getHostAddress(), 0);
        }
    }
}
