package tandem.filter;

/// Says numbers in fewer bytes.
public non-sealed interface Numbers extends Filter {

    /// Writes what it has to say of `entries`, and returns those that are left for the next filter to say, or, after
    /// the last, to be written as they are.
    ///
    /// @param chance what all randomness comes from, so that a repeated request has the same bytes
    Entries pack(Entries entries, Output out, long chance);

    /// Reads into `entries` what [#pack] wrote.
    void unpack(Input in, Entries entries, Rest rest);

    /// Whether it leaves nothing to a filter after it, so that none may follow.
    default boolean isLast() {
        return true;
    }

    /// What was left for the next filter.
    @FunctionalInterface
    interface Rest {
        Entries read(int count);
    }
}
