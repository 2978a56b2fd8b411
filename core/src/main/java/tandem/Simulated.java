package tandem;

/// How a simulated run went.
///
/// @param seconds virtual time, from the start of the cluster to its end
/// @param events  what happened in it
/// @param trace   the same for two runs only if they went alike in every detail
record Simulated(double seconds, long events, String trace) {}
