package tandem.filter;

import tandem.math.Hash;

/// Which request a filter works on. The same request always comes with the same numbers.
///
/// @param chance what all randomness of the request comes from
/// @param clock  the clock that its stream reaches with it
public record Moment(long chance, long clock) {

    /// Request `number` of a stream, as far as it is about a table.
    static Moment of(long seed, int stream, long number, int table, long clock) {
        long request = Hash.number(Hash.number(seed, stream), number);
        return new Moment(Hash.number(request, table), clock);
    }

    /// The chance of one shard's part.
    long of(int shard) {
        return Hash.number(chance, shard);
    }
}
