package tandem.link;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;

/// A key pair of this process, and the certificate that TLS wants for it, signed by itself. It says nothing about whose
/// it is, and nobody relies on it: who is at the other end is proved by the [Secret].
record OwnCertificate(KeyPair keys, X509Certificate certificate) {

    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int TEXT = 0x0c;
    private static final int TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    /// ecdsa-with-SHA256 (RFC 5758), and the common name (RFC 5280).
    private static final byte[] ECDSA = HexFormat.of().parseHex("06082a8648ce3d040302");

    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

    /// A new one.
    static OwnCertificate make() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        KeyPair keys = generator.generateKeyPair();
        byte[] algorithm = node(SEQUENCE, ECDSA);
        byte[] name = node(SEQUENCE, node(SET, node(SEQUENCE, COMMON_NAME, node(TEXT, ascii("tandem")))));
        // For ever, as far as two digits of a year go: the wall clock decides nothing.
        byte[] validity = node(SEQUENCE, node(TIME, ascii("700101000000Z")), node(TIME, ascii("491231235959Z")));
        byte[] said = node(
                SEQUENCE,
                node(INTEGER, new byte[] {1}),
                algorithm,
                name,
                validity,
                name,
                keys.getPublic().getEncoded());
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(said);
        byte[] whole = node(SEQUENCE, said, algorithm, node(BITS, new byte[] {0}, signature.sign()));
        return new OwnCertificate(keys, (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole)));
    }

    /// A value as DER has it: tag, length, content.
    private static byte[] node(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length >= 0x100) {
            out.write(0x82);
            out.write(length >> 8);
        } else if (length >= 0x80) {
            out.write(0x81);
        }
        out.write(length);
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
