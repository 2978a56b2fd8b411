package tandem.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// What Java's TLS takes by itself: two ends in one thread, without a network, with the cipher that nodes use. What
/// nodes add to it is moving bytes. Belongs to one thread.
final class BareTls {

    private static final String[] SUITE = {"TLS_AES_128_GCM_SHA256"};
    private static final int PIECE_BYTES = 1 << 17;

    /// More than a handshake takes.
    private static final int MOST_TURNS = 64;

    /// A password for a key that is thrown away; handed over by the environment, since arguments can be seen by others.
    private static final String PASSWORD = "thrown away";

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine sender;
    private final SSLEngine receiver;
    private final ByteBuffer plain = ByteBuffer.allocateDirect(PIECE_BYTES);
    private final ByteBuffer records;
    private final ByteBuffer opened;

    /// @param folder for the key
    BareTls(Path folder) throws IOException, InterruptedException {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(KeyStore.getInstance(key(folder).toFile(), PASSWORD.toCharArray()), PASSWORD.toCharArray());
            context.init(keys.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
            sender = context.createSSLEngine();
            sender.setUseClientMode(true);
            sender.setEnabledCipherSuites(SUITE);
            receiver = context.createSSLEngine();
            receiver.setUseClientMode(false);
            records = ByteBuffer.allocate(2 * PIECE_BYTES);
            opened = ByteBuffer.allocateDirect(2 * PIECE_BYTES);
            shake();
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java cannot do TLS 1.3: " + e.getMessage(), e);
        }
    }

    private static Path key(Path folder) throws IOException, InterruptedException {
        Path file = folder.resolve("bare-tls.p12");
        ProcessBuilder keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "bench",
                "-keyalg",
                "EC",
                "-dname",
                "CN=bench",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass:env",
                "BENCH_PASSWORD");
        keytool.environment().put("BENCH_PASSWORD", PASSWORD);
        Process process = keytool.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException("keytool made no key: " + said.strip());
        }
        return file;
    }

    /// Both ends say hello until neither has more to say.
    private void shake() throws SSLException {
        ByteBuffer there = ByteBuffer.allocate(PIECE_BYTES);
        ByteBuffer back = ByteBuffer.allocate(PIECE_BYTES);
        sender.beginHandshake();
        receiver.beginHandshake();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            step(sender, back, there);
            step(receiver, there, back);
        }
        if (!receiver.getSession().getCipherSuite().equals(SUITE[0]) || there.position() + back.position() > 0) {
            throw new SSLException("the two ends did not agree on " + SUITE[0]);
        }
    }

    /// One end takes what has come, and says what it has to say.
    private void step(SSLEngine engine, ByteBuffer come, ByteBuffer said) throws SSLException {
        engine.unwrap(come.flip(), opened.clear());
        come.compact();
        for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
            task.run();
        }
        engine.wrap(NOTHING, said);
    }

    /// Moves so many bytes, as often as told, in the pieces in which nodes send them.
    KvTrial move(int bytes, int requests) throws SSLException {
        long cpu = CpuClock.nanos();
        long start = System.nanoTime();
        for (int r = 0; r < requests; r++) {
            for (int left = bytes; left > 0; left -= plain.limit()) {
                pass(plain.clear().limit(Math.min(left, PIECE_BYTES)));
            }
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        double cpuSeconds = (CpuClock.nanos() - cpu) / 1e9;
        long keys = (long) requests * (bytes / Float.BYTES);
        return new KvTrial(
                seconds,
                cpuSeconds,
                requests,
                keys,
                (long) requests * bytes,
                Double.NaN,
                Double.NaN,
                (long) requests * bytes);
    }

    private void pass(ByteBuffer piece) throws SSLException {
        records.clear();
        while (piece.hasRemaining()) {
            sender.wrap(piece, records);
        }
        records.flip();
        opened.clear();
        while (records.hasRemaining()) {
            receiver.unwrap(records, opened);
        }
        if (opened.position() != piece.limit()) {
            throw new SSLException(opened.position() + " bytes came of " + piece.limit());
        }
    }

    /// Nobody else is there to be.
    private static final class Anybody implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
