package tandem;

import java.nio.file.Path;

/// Whether text is turned into the binary cache before training.
public sealed interface CacheUse {

    /// When it pays: for several passes or a batch solver, or if the cache is there already.
    record Auto(Path directory) implements CacheUse {}

    /// Always.
    record Always(Path directory) implements CacheUse {}

    /// Never: one pass, straight from the text.
    record Off() implements CacheUse {}

    /// `$TANDEM_CACHE`, else `tandem` in `$XDG_CACHE_HOME`, else `.cache/tandem` at home.
    static Path directory() {
        String own = System.getenv("TANDEM_CACHE");
        if (own != null && !own.isBlank()) {
            return Path.of(own);
        }
        String shared = System.getenv("XDG_CACHE_HOME");
        return shared != null && !shared.isBlank()
                ? Path.of(shared, "tandem")
                : Path.of(System.getProperty("user.home"), ".cache", "tandem");
    }
}
