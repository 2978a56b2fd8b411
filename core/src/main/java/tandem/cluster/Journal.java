package tandem.cluster;

/// Keeps what a coordinator has decided, before anybody hears of it.
@FunctionalInterface
public interface Journal {

    /// For a coordinator that nobody can follow.
    Journal NONE = _ -> {};

    /// Returns when it is kept; what was kept before is not needed any more.
    void keep(Decided decided);
}
