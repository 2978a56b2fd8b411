package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tandem.data.Batches;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.report.Json;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// A server or worker in a process of its own, started by [NodeProcesses].
final class NodeProcess {

    private NodeProcess() {}

    /// What a node needs to know of the run.
    ///
    /// @param cache       the file of batches that workers read
    /// @param coordinator where the coordinator can be reached
    record Work(LinearJob job, String cache, String coordinator) {}

    /// The secret and certificates of the job, if it has any, come by the environment. Arguments: what the node is, its
    /// number, where it listens, where the coordinator is, the file with its [Work], and which life of it this is.
    public static void main(String[] args) throws IOException {
        Processes.endWithParent();
        Address address = new Address(Address.Role.valueOf(args[0]), Integer.parseInt(args[1]));
        int life = Integer.parseInt(args[5]);
        Work work = Json.read(Files.readAllBytes(Path.of(args[4])), Work.class);
        Trust trust = Trust.given(System.getenv());
        try (Sockets ground =
                new Sockets(Place.of(args[2]), Place.of(args[3]), trust, LinkLimits.DEFAULT, Shape.NONE)) {
            live(ground, address, work, life);
        }
    }

    /// Is a node until the coordinator sends it home.
    ///
    /// @param life which one of those that have been under this number
    static void live(Sockets ground, Address address, Work work, int life) throws IOException {
        switch (address.role()) {
            case SERVER -> {
                work.job.host(ground, address, ground.place().toString(), life);
                ground.run();
            }
            case WORKER -> {
                try (Batches data = Batches.open(Path.of(work.cache))) {
                    work.job.host(ground, address, ground.place().toString(), data, life);
                    ground.run();
                }
            }
            case COORDINATOR, READER, OPERATOR ->
                throw new IllegalArgumentException("no process is started for " + address);
        }
    }
}
