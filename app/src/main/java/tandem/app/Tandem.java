package tandem.app;

import tandem.Version;

/// The command line.
public final class Tandem {

    private Tandem() {}

    public static void main(String[] args) {
        System.out.println("tandem " + Version.current());
    }
}
