package tandem.client;

import tandem.wire.Figures;

/// What a server function is called with: which one, over which table, and with what numbers.
public record Call(int table, String function, Figures arguments) {}
