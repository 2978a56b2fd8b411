package tandem.spark;

import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkEnv$;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;

/// What the nodes of a job know each other by, on its way to executors.
sealed interface JobSecret extends Serializable {

    int BYTES = 32;

    /// What connections are made with; null for nothing.
    Trust trust();

    /// Nothing: only this machine can reach the nodes.
    record None() implements JobSecret {

        @Override
        public Trust trust() {
            return null;
        }
    }

    /// A secret drawn by chance, which goes to executors with their tasks: as safe as what Spark sends is.
    record Carried(String secret) implements JobSecret {

        @Override
        public Trust trust() {
            return Trust.of(Secret.of(secret));
        }

        /// Nothing shows it.
        @Override
        public String toString() {
            return "a secret";
        }
    }

    /// One that driver and executors each find by themselves, from the secret that Spark has given them
    /// (`spark.authenticate`) and the number of this job, drawn by chance, which need not be hidden.
    record Derived(String job) implements JobSecret {

        @Override
        public Trust trust() {
            SparkEnv env = SparkEnv$.MODULE$.get();
            return Trust.of(Secret.of(of(env.securityManager().getSecretKey(), job)));
        }

        /// HMAC-SHA256 of the job under Spark's secret.
        static String of(String shared, String job) {
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(shared.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
                return HexFormat.of().formatHex(mac.doFinal(("tandem " + job).getBytes(StandardCharsets.UTF_8)));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this Java has no HMAC-SHA256, which every Java has", e);
            }
        }
    }

    /// That of a new job in this application, whose coordinator listens there.
    static JobSecret of(Place.Tcp listen) throws IOException {
        if (SparkEnv$.MODULE$.get().securityManager().isAuthenticationEnabled()) {
            return new Derived(chance());
        }
        return InetAddress.getByName(listen.host()).isLoopbackAddress() ? new None() : new Carried(chance());
    }

    private static String chance() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
