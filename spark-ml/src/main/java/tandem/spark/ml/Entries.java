package tandem.spark.ml;

import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;

/// The entries of a vector that are not 0, by Tandem's ids.
record Entries(long[] ids, float[] values) {

    /// @param named the id of each feature; null if that of feature j is j + 1
    static Entries of(Vector features, long[] named) {
        SparseVector sparse = features.toSparse();
        int[] indices = sparse.indices();
        long[] ids = new long[indices.length];
        float[] values = new float[indices.length];
        for (int e = 0; e < ids.length; e++) {
            ids[e] = named == null ? indices[e] + 1L : named[indices[e]];
            values[e] = (float) sparse.values()[e];
        }
        return new Entries(ids, values);
    }

    int count() {
        return ids.length;
    }
}
