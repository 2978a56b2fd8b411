package tandem.server;

/// How threads share the entries of a [Table] (Niu et al. 2011).
public enum Hogwild {

    /// Without locks: of two updates of an entry at the same moment one may be lost, in part or as a whole.
    RELAXED,

    /// An entry is changed by one thread at a time, so that no update is lost. Reads wait for nobody.
    STRICT
}
