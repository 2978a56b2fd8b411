package tandem.data;

import java.io.IOException;

/// Numbers that are gone through in order and so need not be in memory, such as the scores that rows had a round ago.
/// They are 0 until others are written.
public interface Aside {

    /// Reads `count` of them, from the one at `first` on, to the beginning of `into`.
    void read(long first, double[] into, int count) throws IOException;

    /// Writes the first `count` numbers of `from`, beginning with the one at `first`.
    void write(long first, double[] from, int count) throws IOException;

    /// In memory.
    static Aside held(int count) {
        double[] all = new double[count];
        return new Aside() {
            @Override
            public void read(long first, double[] into, int count) {
                System.arraycopy(all, (int) first, into, 0, count);
            }

            @Override
            public void write(long first, double[] from, int count) {
                System.arraycopy(from, 0, all, (int) first, count);
            }
        };
    }
}
