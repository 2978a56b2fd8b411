package tandem;

import java.util.List;
import java.util.function.ToLongFunction;
import tandem.server.Server;

/// What the servers of a run hold in memory, for the report.
///
/// @param keys        rows, of all tables
/// @param bytes       of rows and of what finds them
/// @param bytesPerKey `bytes / keys`
/// @param admitted    keys that got a row, where they had to earn it or can lose it
/// @param refused     times that a key was in an update, had no row and got none
/// @param evicted     rows that made room for others
/// @param listBytes   of key lists that are remembered because they come again
record ServerMemory(
        long keys, long bytes, double bytesPerKey, long admitted, long refused, long evicted, long listBytes) {

    static ServerMemory of(Server server) {
        Server.Memory held = server.memory();
        return new ServerMemory(held.rows(), held.rowBytes() + held.indexBytes(), held.listBytes(), server.upkept());
    }

    static ServerMemory of(List<ServerMemory> all) {
        return new ServerMemory(
                sum(all, ServerMemory::keys),
                sum(all, ServerMemory::bytes),
                sum(all, ServerMemory::listBytes),
                new Server.Upkept(
                        sum(all, ServerMemory::admitted),
                        sum(all, ServerMemory::refused),
                        sum(all, ServerMemory::evicted)));
    }

    private static long sum(List<ServerMemory> all, ToLongFunction<ServerMemory> of) {
        return all.stream().mapToLong(of).sum();
    }

    private ServerMemory(long keys, long bytes, long listBytes, Server.Upkept upkept) {
        this(
                keys,
                bytes,
                keys == 0 ? 0 : (double) bytes / keys,
                upkept.admitted(),
                upkept.refused(),
                upkept.evicted(),
                listBytes);
    }
}
