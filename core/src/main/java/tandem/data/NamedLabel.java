package tandem.data;

/// A label that is a name, met where batches are made before all names can be known. Not a bad line: the
/// data is fine, and the cache can hold it.
public final class NamedLabel extends IllegalArgumentException {

    public NamedLabel(String name) {
        super("label '" + name + "' is a name; names of classes must all be known before the first batch, so "
                + "read this data through the cache, or write the labels as numbers");
    }
}
