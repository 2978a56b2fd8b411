package tandem.architecture.above;

import tandem.architecture.below.Wrong;

/// Looks down, which it may.
public final class Right {

    public Wrong below;
}
