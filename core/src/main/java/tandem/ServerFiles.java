package tandem;

/// The only directories that the servers of a run write to and read from, told to them when they start.
///
/// @param draft where they put the files of the model
/// @param start the model whose weights they start with, or null
/// @param kept  where checkpoints of the run are kept, or null
/// @param from  the checkpoint that they go on from, or null
record ServerFiles(String draft, String start, String kept, String from) {}
