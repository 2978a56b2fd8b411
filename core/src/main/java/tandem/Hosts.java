package tandem;

import java.io.IOException;
import java.util.Map;
import tandem.data.Elsewhere;
import tandem.link.Place;
import tandem.link.Trust;

/// Somebody else's machines, on which the nodes of a run live: a host for each worker, where the examples of its stream
/// are, and servers beside them. Whoever provides them restarts a host that dies, with the same examples.
///
/// A host is a [Berth] that is run there.
public interface Hosts extends AutoCloseable {

    /// The examples, as far as they are known without having them.
    Elsewhere examples();

    /// What tells the examples from others, by name: such as files and what they were when they were read.
    Map<String, String> sources();

    /// Where the coordinator, which is in this process, is to listen.
    Place.Tcp listen();

    /// What all nodes know each other by; null for nothing, where nobody else can reach them.
    Trust trust();

    /// The name that others on this machine find the run under; null for none.
    default String job() {
        return null;
    }

    /// How much memory Java has for each host.
    long heapBytes();

    /// Has all hosts started, which ask at `coordinator` what to be. `news` hears what becomes of them.
    void begin(Place coordinator, News news);

    /// Ends a host as it is, so that it is started again.
    void end(int host);

    /// How good a model is on the examples, which are scored where they are.
    Evaluation score(Scoring what) throws IOException;

    /// Has every host do its part of a round, without nodes; what they add to the average together.
    ///
    /// @param average what they set out from
    default byte[] average(AveragingRound round, byte[] average) throws IOException {
        throw new IllegalArgumentException("these hosts average through servers; use --exchange server");
    }

    /// Ends all hosts.
    @Override
    void close();

    /// Hears what becomes of hosts, from any thread.
    interface News {

        /// A host has died, in its so many-th life; another will come in its place.
        ///
        /// @param why what is known of it, such as "which …"; empty for nothing
        void died(int host, int life, String why);

        /// There will be no more hosts.
        void failed(String why);
    }
}
