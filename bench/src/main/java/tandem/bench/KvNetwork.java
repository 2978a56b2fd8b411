package tandem.bench;

import java.io.IOException;
import java.util.Map;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.runtime.Sockets;

/// How the processes of `bench kv` and its like talk to each other.
///
/// @param kind           `tcp`, or a folder for Unix sockets
/// @param bytesPerSecond what the network of each process takes
/// @param secret         what all of them know, and then they talk through TLS; empty for nothing
record KvNetwork(String kind, double bytesPerSecond, String secret) {

    /// This machine as it is.
    static KvNetwork of(String kind) {
        return new KvNetwork(kind, Double.POSITIVE_INFINITY, "");
    }

    static KvNetwork shaped(double bytesPerSecond) {
        return new KvNetwork("tcp", bytesPerSecond, "");
    }

    KvNetwork withSecret(String secret) {
        return new KvNetwork(kind, bytesPerSecond, secret);
    }

    /// What a process of this network finds in its environment, where others cannot see it as they see its arguments.
    Map<String, String> environment() {
        return Map.of(Secret.VARIABLE, secret, Secret.FILE_VARIABLE, "");
    }

    /// The same network, in a process that was started with [#environment].
    static KvNetwork here(String kind, double bytesPerSecond) {
        return new KvNetwork(kind, bytesPerSecond, System.getenv().getOrDefault(Secret.VARIABLE, ""));
    }

    /// A process's own end of it.
    ///
    /// @param coordinator where that is; null if it is in this process
    Sockets open(String name, Place coordinator) throws IOException {
        Shape shape = Double.isInfinite(bytesPerSecond) ? Shape.NONE : new Shape(bytesPerSecond, 0);
        Trust trust = Trust.of(Secret.given(null, environment()));
        return new Sockets(KvNode.place(kind, name), coordinator, trust, LinkLimits.DEFAULT, shape);
    }
}
