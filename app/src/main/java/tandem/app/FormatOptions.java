package tandem.app;

import java.io.IOException;
import picocli.CommandLine.Option;
import tandem.data.Data;
import tandem.data.Declared;
import tandem.data.Format;

/// The options that say what text looks like. A model remembers them, so only training asks.
final class FormatOptions {

    enum Name {
        auto,
        libsvm,
        criteo,
        csv,
        tsv
    }

    @Option(
            names = "--format",
            paramLabel = "NAME",
            description = "libsvm, criteo, csv, tsv, or auto to find out from the first lines. Default: auto.")
    private Name name = Name.auto;

    @Option(
            names = "--columns",
            paramLabel = "NAME=KIND,…",
            description = "Tables: what columns are, by name or number: label, number, category, weight or ignore;"
                    + " such as click=label,3-15=number. The rest is found out.")
    private String columns;

    @Option(
            names = "--hash-bits",
            paramLabel = "N",
            description = "Keep only the low N bits of ids, which bounds the model at 2^N weights. Default: all 64.")
    private Integer hashBits;

    /// `data` in the format that these options name or that its first lines show.
    Data in(Data data) throws IOException {
        if (hashBits != null && (hashBits < 1 || hashBits > 64)) {
            throw new IllegalArgumentException("--hash-bits is " + hashBits + "; ids have 64 bits, so use 1 to 64");
        }
        return data.withFormat(format())
                .withHashBits(hashBits == null ? 64 : hashBits)
                .known();
    }

    private Format format() {
        if (columns != null && (name == Name.libsvm || name == Name.criteo)) {
            throw new IllegalArgumentException("--columns is for tables, but --format is " + name + "; leave one out");
        }
        Declared declared = columns == null ? Declared.NONE : Declared.parse(columns);
        return switch (name) {
            case auto -> columns == null ? Format.unknown() : Format.table(declared);
            case libsvm -> new Format.LibSvm();
            case criteo -> new Format.Criteo(0);
            case csv -> Format.table(declared);
            case tsv -> Format.tabs(declared);
        };
    }
}
