package tandem.cluster;

/// Which seat holds which shard in the beginning, where the keys of a table are cut into a range for each stream and a
/// range has the keys that its stream needs most: a seat of the server beside the worker that has the stream, which is
/// the server of the same number. Where there are more servers than workers, the shards of a stream are spread over
/// several, and where there are fewer, a server has those of several workers.
record Homes(Cast cast) {

    /// @param shards how many shards the table has, a multiple of the number of streams
    int[] seats(int shards) {
        int each = shards / cast.streams();
        int[] seats = new int[shards];
        for (int shard = 0; shard < shards; shard++) {
            int worker = shard / each % cast.workers();
            int first = worker % cast.servers();
            int servers = Math.ceilDiv(cast.servers() - first, cast.workers());
            int number = shard % each;
            int server = first + cast.workers() * (number % servers);
            seats[shard] = server + cast.servers() * (number / servers % (cast.seats() / cast.servers()));
        }
        return seats;
    }
}
