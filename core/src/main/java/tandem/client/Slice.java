package tandem.client;

import tandem.wire.Keys;

/// Some rows of one table: which keys, and the array that their values come from or go to, row by row.
public record Slice(int table, Keys keys, float[] values) {}
