package tandem.runtime;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/// Somebody who starts processes of this program, listens to them, and ends them.
public interface Keeper extends AutoCloseable {

    /// A process to be started, with the Java, class path and environment of the keeper's own.
    ///
    /// @param name        of which there is one at a time
    /// @param life        which one of those that have had this name, from 1 on
    /// @param options     of the Java machine, such as `-Xmx1g`
    /// @param environment more of it
    /// @param main        the name of the class that begins
    record Child(
            String name,
            int life,
            List<String> options,
            Map<String, String> environment,
            String main,
            List<String> arguments) {}

    /// The end of a process.
    ///
    /// @param how what became of it, as a user reads it behind the name; null if that is what the code says
    record Ended(String name, int code, String how) {

        public Ended(String name, int code) {
            this(name, code, null);
        }

        /// Whether somebody ended it, and not it itself.
        public boolean isBySignal() {
            return code > 128;
        }

        /// As a user reads it.
        @Override
        public String toString() {
            if (how != null) {
                return name + " " + how;
            }
            return name + (isBySignal() ? " was ended by signal " + (code - 128) : " ended with code " + code);
        }
    }

    /// Hears what becomes of the processes, on threads of the keeper's.
    interface Listener {

        /// A process said something, here with its name in front.
        void said(String line);

        /// A process ended before it was to.
        void ended(Ended ended);
    }

    /// The processes that were started before, by whoever had this keeper then, and whose end nobody has settled.
    List<Child> known();

    /// Has `listener` hear from now on, and of ends that nobody has settled.
    void attend(Listener listener);

    void start(Child child) throws IOException;

    /// Ends a process at once, if it runs.
    void end(String name);

    /// All that the end of a process calls for is done.
    void settle(String name, int life);

    /// Ends all of them, for good.
    @Override
    void close();
}
