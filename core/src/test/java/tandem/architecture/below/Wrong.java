package tandem.architecture.below;

import tandem.architecture.above.Right;

/// Looks up, which it may not.
public final class Wrong {

    public Right above;
}
