package tandem.link;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// A certificate with its key, by which a node proves who it is, and the authority that must have signed those of all
/// others. Every certificate of that authority is as good as another, so it is to be one for Tandem alone.
public final class Certificates {

    /// The variables that name the files where no option does.
    public static final String CERTIFICATE_VARIABLE = "TANDEM_TLS_CERT";

    public static final String KEY_VARIABLE = "TANDEM_TLS_KEY";
    public static final String AUTHORITY_VARIABLE = "TANDEM_TLS_CA";

    private static final int MOST_BYTES = 1 << 20;
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----");

    /// What both ends agree on first tells the kind of key; this is what Java calls it where that is not known.
    private static final String ANY_KEY = "UNKNOWN";

    private final Pem files;
    private final X509Certificate[] own;
    private final KeyManager[] keys;
    private final X509TrustManager authority;

    /// Where they are: the node's certificate, perhaps followed by those between it and the authority; its key; and
    /// the authority's certificate.
    public record Pem(Path certificate, Path key, Path authority) {

        /// The files that are named, by options or else by the environment; null if none is.
        public static Pem given(Path certificate, Path key, Path authority, Map<String, String> environment) {
            Path[] all = {
                named(certificate, CERTIFICATE_VARIABLE, environment),
                named(key, KEY_VARIABLE, environment),
                named(authority, AUTHORITY_VARIABLE, environment)
            };
            String[] options = {"--tls-cert", "--tls-key", "--tls-ca"};
            for (int i = 0; i < all.length; i++) {
                int other = (i + 1) % all.length;
                if (all[i] == null && all[other] != null) {
                    throw new IllegalArgumentException(options[other] + " is given and " + options[i]
                            + " is not; a node needs its certificate (--tls-cert), the key of it (--tls-key) and the"
                            + " authority that signs all of them (--tls-ca)");
                }
            }
            return all[0] == null ? null : new Pem(all[0], all[1], all[2]);
        }

        private static Path named(Path file, String variable, Map<String, String> environment) {
            String named = environment.getOrDefault(variable, "");
            return file != null || named.isEmpty() ? file : Path.of(named);
        }

        /// The same by names that are good in any directory.
        public Pem absolute() {
            return new Pem(certificate.toAbsolutePath(), key.toAbsolutePath(), authority.toAbsolutePath());
        }
    }

    /// Reads them, and sees that they fit together and are good today.
    public static Certificates read(Pem files) throws IOException {
        Certificates certificates = new Certificates(files);
        certificates.checkOwn();
        return certificates;
    }

    /// The same, good today or not.
    Certificates(Pem files) throws IOException {
        this.files = files;
        own = certificates(files.certificate);
        X509Certificate[] authorities = certificates(files.authority);
        PrivateKey key = key(files.key, own[0]);
        try {
            KeyStore trusted = empty();
            for (int i = 0; i < authorities.length; i++) {
                trusted.setCertificateEntry("authority " + i, authorities[i]);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(trusted);
            authority = (X509TrustManager) trust.getTrustManagers()[0];
            keys = keys(key, own);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificates cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    static KeyManager[] keys(PrivateKey key, X509Certificate... chain) throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        store.setKeyEntry("own", key, new char[0], chain);
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, new char[0]);
        return factory.getKeyManagers();
    }

    private void checkOwn() throws IOException {
        try {
            check(own, Secret.End.OPENER);
            check(own, Secret.End.LISTENER);
        } catch (CertificateExpiredException | CertificateNotYetValidException e) {
            throw new IOException(
                    "the certificate in " + files.certificate + " is good from "
                            + own[0].getNotBefore().toInstant()
                            + " to " + own[0].getNotAfter().toInstant()
                            + ", and not now; renew it, or set the clock of this machine",
                    e);
        } catch (CertificateException e) {
            throw new IOException(
                    "the certificate in " + files.certificate + " is not one that the authority in " + files.authority
                            + " has signed for both ends of a connection: " + e.getMessage(),
                    e);
        }
    }

    private static byte[] bytes(Path file, String what) throws IOException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException(file + " has " + Files.size(file) + " bytes, too many for " + what + " in PEM");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("there is no " + what + " in " + file + ": there is no such file", e);
        }
    }

    private static X509Certificate[] certificates(Path file) throws IOException {
        try {
            X509Certificate[] found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(bytes(file, "certificate")))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (found.length > 0) {
                return found;
            }
        } catch (CertificateException _) {
            // said below
        }
        throw new IOException("there is no certificate in " + file + "; it must be PEM, -----BEGIN CERTIFICATE-----");
    }

    private static PrivateKey key(Path file, X509Certificate certificate) throws IOException {
        String text = new String(bytes(file, "key"), StandardCharsets.ISO_8859_1);
        Secret.checkOwned(file, "the key");
        Matcher plain = KEY.matcher(text);
        if (!plain.find()) {
            Matcher other = OTHER_KEY.matcher(text);
            throw new IOException(
                    other.find()
                            ? file + " holds an " + (other.group(1) + "PRIVATE KEY").strip()
                                    + "; it must be a plain one, made so: openssl pkcs8 -topk8 -nocrypt -in " + file
                            : "there is no key in " + file + "; it must be PEM, -----BEGIN PRIVATE KEY-----");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(plain.group(1));
            PrivateKey key = KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded));
            if (signs(key, certificate)) {
                return key;
            }
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            // said below
        }
        throw new IOException("the key in " + file + " is not that of the certificate");
    }

    private static boolean signs(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        };
        byte[] words = "tandem".getBytes(StandardCharsets.US_ASCII);
        Signature made = Signature.getInstance(algorithm);
        made.initSign(key);
        made.update(words);
        Signature checked = Signature.getInstance(algorithm);
        checked.initVerify(certificate.getPublicKey());
        checked.update(words);
        return checked.verify(made.sign());
    }

    /// The files they were read from.
    public Pem files() {
        return files;
    }

    KeyManager[] keys() {
        return keys;
    }

    /// Refuses a certificate of the node at an end of a connection that the authority has not signed, or that is out of
    /// date. That the node has the key of it is for TLS to see to.
    void check(X509Certificate[] chain, Secret.End end) throws CertificateException {
        if (chain.length == 0) {
            throw new CertificateException("there is none");
        }
        chain[0].checkValidity();
        switch (end) {
            case OPENER -> authority.checkClientTrusted(chain, ANY_KEY);
            case LISTENER -> authority.checkServerTrusted(chain, ANY_KEY);
        }
    }
}
