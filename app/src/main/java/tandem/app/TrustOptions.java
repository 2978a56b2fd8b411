package tandem.app;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import tandem.link.Certificates;
import tandem.link.Trust;

/// The options that say what the nodes of a job know each other by.
final class TrustOptions {

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "A file with what all nodes have to know, that you alone may read; everything then goes"
                    + " through TLS. Default: what TANDEM_SECRET_FILE names, or TANDEM_SECRET is.")
    private Path secret;

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "The certificate of this node, in PEM, instead of a secret or besides one; everything then"
                    + " goes through TLS. Default: what TANDEM_TLS_CERT names.")
    private Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "The key of it, in PEM, that you alone may read. Default: what TANDEM_TLS_KEY names.")
    private Path key;

    @Option(
            names = "--tls-ca",
            paramLabel = "FILE",
            description = "The certificate of the authority that must have signed those of all nodes. Default: what"
                    + " TANDEM_TLS_CA names.")
    private Path authority;

    /// An option of these that was given; null if none was.
    String any() {
        return secret != null
                ? "--secret-file"
                : certificate != null
                        ? "--tls-cert"
                        : key != null ? "--tls-key" : authority != null ? "--tls-ca" : null;
    }

    /// What they or the environment give; null if nothing.
    Trust trust() throws IOException {
        return Trust.given(
                secret, Certificates.Pem.given(certificate, key, authority, System.getenv()), System.getenv());
    }
}
