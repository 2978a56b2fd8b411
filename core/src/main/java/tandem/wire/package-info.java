/// What nodes say to each other: messages, who they are for, and the same as bytes.
/// Knows no socket and no thread: links carry it, parties answer it.
package tandem.wire;
