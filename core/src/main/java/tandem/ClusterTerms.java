package tandem;

import tandem.filter.Filters;
import tandem.wire.Upkeep;

/// What all nodes of a distributed run agree on, whatever they compute: how many there are and how they keep together.
///
/// @param streams      how many streams the data is cut into
/// @param rhythm       how workers keep together
/// @param filters      what messages leave out or pack smaller, as on the command line
/// @param upkeep       which features get a weight, and how much memory there is for them
/// @param seed         what chance in filters follows from
/// @param silenceNanos how long a node that is waited for may be silent
record ClusterTerms(
        int servers,
        int workers,
        int streams,
        Rhythm rhythm,
        String filters,
        Upkeep upkeep,
        long seed,
        long silenceNanos) {

    /// The filters that there are.
    Filters filterKinds() {
        return new Filters(seed);
    }
}
