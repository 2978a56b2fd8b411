package tandem;

/// The only directories that the servers of a run write to and read from, told to them when they start.
///
/// @param draft where they put the files of the model
/// @param start the model whose weights they start with, or null
record ServerFiles(String draft, String start) {}
