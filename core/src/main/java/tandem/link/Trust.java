package tandem.link;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;

/// What the nodes of a job know each other by: a secret that all share, certificates that one authority has signed, or
/// both, and then both have to hold.
///
/// @param secret       null if there is none
/// @param certificates null if there are none
public record Trust(Secret secret, Certificates certificates) {

    public Trust {
        if (secret == null && certificates == null) {
            throw new IllegalArgumentException("nothing to know each other by; give a secret, or certificates");
        }
    }

    /// A secret alone; null if that is null.
    public static Trust of(Secret secret) {
        return secret == null ? null : new Trust(secret, null);
    }

    /// What files give, or the environment where they are null; null if that gives nothing either.
    public static Trust given(Path secretFile, Certificates.Pem files, Map<String, String> environment)
            throws IOException {
        Secret secret = Secret.given(secretFile, environment);
        return secret == null && files == null
                ? null
                : new Trust(secret, files == null ? null : Certificates.read(files));
    }

    /// What the environment gives; null if nothing.
    public static Trust given(Map<String, String> environment) throws IOException {
        return given(null, Certificates.Pem.given(null, null, null, environment), environment);
    }

    /// The variables by which a process that is started is given the same, or by an empty text nothing. A secret is
    /// left for it in a file below `directory`, because who can see a process can often see what it was started
    /// with.
    public static Map<String, String> environment(Trust trust, Path directory) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (String variable : new String[] {
            Secret.VARIABLE,
            Secret.FILE_VARIABLE,
            Certificates.CERTIFICATE_VARIABLE,
            Certificates.KEY_VARIABLE,
            Certificates.AUTHORITY_VARIABLE
        }) {
            all.put(variable, "");
        }
        if (trust != null && trust.secret != null) {
            Path file = directory.resolve("secret");
            Files.deleteIfExists(file); // of a coordinator before this one
            trust.secret.write(file);
            all.put(Secret.FILE_VARIABLE, file.toString());
        }
        if (trust != null && trust.certificates != null) {
            Certificates.Pem files = trust.certificates.files().absolute();
            all.put(Certificates.CERTIFICATE_VARIABLE, files.certificate().toString());
            all.put(Certificates.KEY_VARIABLE, files.key().toString());
            all.put(Certificates.AUTHORITY_VARIABLE, files.authority().toString());
        }
        return all;
    }

    /// What an end says of the TLS session that `binding` is of: with a secret a proof that it knows it; without, only
    /// that it agrees.
    byte[] proof(Secret.End end, byte[] binding) {
        if (secret != null) {
            return secret.proof(end, binding);
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(("tandem " + end).getBytes(StandardCharsets.US_ASCII));
            return digest.digest(binding);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
