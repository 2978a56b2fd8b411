/// Frames between processes: places to listen at, connections, and what is held for a peer that is slow to read.
/// Knows messages and who sends them, not what they mean.
package tandem.link;
