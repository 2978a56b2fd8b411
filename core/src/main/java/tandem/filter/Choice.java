package tandem.filter;

/// Decides which rows are pushed. Those that are not are passed over where they would arrive; their keys travel all the
/// same, so that lists of keys stay as they were and are known again. Runs once for each request, however often that is
/// sent.
///
/// May remember what it left out: one of its own is made for each stream and table.
public non-sealed interface Choice extends Filter {

    /// Leaves out rows that need not travel now, and may change those that do. Rows that are left out already, by a
    /// choice before this one, are none of its business.
    void choose(Rows rows, Moment moment);

    /// Whether it may stand among the filters of pulls. There it chooses nothing: servers leave out the rows that the
    /// table's rule left alone in its last step, if the reader says that it has them.
    default boolean isForPulls() {
        return false;
    }

    /// Takes away what it still holds back, to be sent at the end whatever it is; null if there is nothing.
    default Rows rest() {
        return null;
    }
}
