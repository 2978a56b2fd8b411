package tandem.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/// CPU time of a process, all its threads, to the nanosecond: the JVM tells it in steps of 10 ms, of its own process
/// too. Where the system's clock cannot be asked, those steps have to do.
final class CpuClock {

    /// The kernel's number for the clock of a process is made of the complement of the process's number and this.
    private static final int SCHEDULED = 2;

    private static final MethodHandle READ = Linker.nativeLinker()
            .defaultLookup()
            .find("clock_gettime")
            .map(function -> Linker.nativeLinker()
                    .downcallHandle(
                            function,
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS)))
            .orElse(null);

    private CpuClock() {}

    /// What this process has taken so far.
    static long nanos() {
        return nanos(ProcessHandle.current().pid());
    }

    /// What a process has taken so far; 0 if it is gone.
    static long nanos(long pid) {
        if (READ != null && System.getProperty("os.name").equals("Linux")) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment time = arena.allocate(ValueLayout.JAVA_LONG, 2);
                if ((int) READ.invokeExact((int) ~pid << 3 | SCHEDULED, time) == 0) {
                    return time.getAtIndex(ValueLayout.JAVA_LONG, 0) * 1_000_000_000
                            + time.getAtIndex(ValueLayout.JAVA_LONG, 1);
                }
            } catch (Throwable e) {
                throw new IllegalStateException("the clock of process " + pid + " cannot be read", e);
            }
        }
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .orElse(Duration.ZERO)
                .toNanos();
    }
}
