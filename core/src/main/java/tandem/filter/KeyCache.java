package tandem.filter;

/// A list of keys that comes again travels as the signature of the whole list, and is resolved only once. Who does not
/// know a list says so, and is sent the keys.
public record KeyCache() implements Filter {}
