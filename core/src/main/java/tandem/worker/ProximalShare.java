package tandem.worker;

import tandem.client.Slice;

/// What a stream has of the data, and what it makes of the numbers that all share.
interface ProximalShare {

    /// Room for the numbers that it pulls or pushes.
    double[][] room();

    /// What it has to know before its first clock, and what it needs of every clock after that.
    Slice[] toBegin(double[][] numbers);

    Slice[] toGoOn(double[][] numbers);

    /// Takes what has come.
    void begin(double[][] pulled);

    void take(double[][] pulled);

    /// What it pushes for a clock.
    ///
    /// @param late by how many clocks what is known may be older than a clock, as it seems
    Slice[] work(ProximalLoop.Round round, long clock, long late);

    /// What it sums up to, by what it knows.
    ProximalLoop.Sums sums(int stream, ProximalLoop.Round round);

    /// How many examples a clock of it counts as, and how many entries it takes.
    long examples();

    long entries();
}
