package tandem.spark.ml;

import org.apache.spark.ml.linalg.SparseVector;
import org.apache.spark.ml.linalg.Vector;

/// The entries of a vector that are not 0, by Tandem's ids: feature j is id j + 1.
record Entries(long[] ids, float[] values) {

    static Entries of(Vector features) {
        SparseVector sparse = features.toSparse();
        int[] indices = sparse.indices();
        long[] ids = new long[indices.length];
        float[] values = new float[indices.length];
        for (int e = 0; e < ids.length; e++) {
            ids[e] = indices[e] + 1L;
            values[e] = (float) sparse.values()[e];
        }
        return new Entries(ids, values);
    }

    int count() {
        return ids.length;
    }
}
