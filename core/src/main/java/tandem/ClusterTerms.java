package tandem;

/// What all nodes of a distributed run agree on, whatever they compute: how many there are and how they keep together.
///
/// @param streams      how many streams the data is cut into
/// @param steal        whether workers that are through with their part of a pass take over from others
/// @param silenceNanos how long a node that is waited for may be silent
record ClusterTerms(int servers, int workers, int streams, String consistency, boolean steal, long silenceNanos) {}
