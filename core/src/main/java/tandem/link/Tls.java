package tandem.link;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// TLS 1.3 as all connections of a process use it: the JDK's, with the certificate that the process was given, or one
/// made for it.
final class Tls {

    private static final String[] VERSIONS = {"TLSv1.3"};

    /// The fastest one first.
    private static final String[] SUITES = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    private final SSLContext context;
    private final Trust trust;

    Tls(Trust trust) {
        this.trust = trust;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(keys(trust), new TrustManager[] {new AnyCertificate()}, null);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this Java cannot do TLS 1.3: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(Trust trust) throws GeneralSecurityException, IOException {
        if (trust.certificates() != null) {
            return trust.certificates().keys();
        }
        OwnCertificate own = OwnCertificate.make();
        return Certificates.keys(own.keys().getPrivate(), own.certificate());
    }

    Trust trust() {
        return trust;
    }

    SSLEngine engine(boolean opens) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(opens);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setNeedClientAuth(trust.certificates() != null);
        parameters.setProtocols(VERSIONS);
        parameters.setCipherSuites(SUITES);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Takes every certificate: TLS sees to it that the other end has the key of the one it shows, and whose it is, is
    /// looked at before anything else is ([Greeting]), where a reason can be given. With a secret alone none proves
    /// anything; somebody in the middle has two sessions with two bindings, and cannot make the proof for the one
    /// from that for the other.
    private static final class AnyCertificate extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
