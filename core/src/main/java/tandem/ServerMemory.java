package tandem;

import java.util.List;
import tandem.server.Server;

/// What the servers of a run hold in memory, for the report.
///
/// @param keys        rows, of all tables
/// @param bytes       of rows and of what finds them
/// @param bytesPerKey `bytes / keys`
/// @param listBytes   of key lists that are remembered because they come again
record ServerMemory(long keys, long bytes, double bytesPerKey, long listBytes) {

    static ServerMemory of(Server.Memory held) {
        return of(held.rows(), held.rowBytes() + held.indexBytes(), held.listBytes());
    }

    static ServerMemory of(List<ServerMemory> all) {
        return of(
                all.stream().mapToLong(ServerMemory::keys).sum(),
                all.stream().mapToLong(ServerMemory::bytes).sum(),
                all.stream().mapToLong(ServerMemory::listBytes).sum());
    }

    private static ServerMemory of(long keys, long bytes, long listBytes) {
        return new ServerMemory(keys, bytes, keys == 0 ? 0 : (double) bytes / keys, listBytes);
    }
}
