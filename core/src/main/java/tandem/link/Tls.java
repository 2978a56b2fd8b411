package tandem.link;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// TLS 1.3 as all connections of a process use it: the JDK's, with a certificate made for this process.
final class Tls {

    private static final String[] VERSIONS = {"TLSv1.3"};

    /// The fastest one first.
    private static final String[] SUITES = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    private final SSLContext context;
    private final Secret secret;

    Tls(Secret secret) {
        this.secret = secret;
        try {
            OwnCertificate own = OwnCertificate.make();
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", own.keys().getPrivate(), new char[0], new X509Certificate[] {own.certificate()});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), new TrustManager[] {new AnyCertificate()}, null);
        } catch (GeneralSecurityException | java.io.IOException e) {
            throw new IllegalStateException("this Java cannot do TLS 1.3: " + e.getMessage(), e);
        }
    }

    Secret secret() {
        return secret;
    }

    SSLEngine engine(boolean opens) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(opens);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setCipherSuites(SUITES);
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Takes every certificate, because none proves anything here. Somebody in the middle has two sessions with two
    /// bindings, and cannot make the proof for the one from that for the other ([Greeting]).
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
