package tandem.bench.spark;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/// The most that the heap of this JVM held after a collection: what could not be thrown away, or not yet.
final class HeapPeak {

    private final List<String> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .toList();

    private final AtomicLong most = new AtomicLong();

    HeapPeak() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector).addNotificationListener((note, _) -> collected(note), null, null);
        }
    }

    private void collected(Notification note) {
        if (note.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long bytes =
                    GarbageCollectionNotificationInfo.from((CompositeData) note.getUserData())
                            .getGcInfo()
                            .getMemoryUsageAfterGc()
                            .entrySet()
                            .stream()
                            .filter(pool -> pools.contains(pool.getKey()))
                            .mapToLong(pool -> pool.getValue().getUsed())
                            .sum();
            most.accumulateAndGet(bytes, Math::max);
        }
    }

    long bytes() {
        return most.get();
    }

    /// Begins anew with what is there now.
    void forget() {
        most.set(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
}
