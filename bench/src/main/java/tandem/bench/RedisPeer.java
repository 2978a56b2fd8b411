package tandem.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import tandem.math.Mix;

/// A Redis server of its own, without persistence, and the plainest client that can be written for it: requests are
/// bytes made beforehand, answers are read and counted. CPU time is that of the server alone.
final class RedisPeer implements AutoCloseable {

    private static final int ATTEMPTS = 500;

    private final Process server;
    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;

    static RedisPeer start(Path program, Path folder) throws IOException, InterruptedException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process server = new ProcessBuilder(
                        program.toString(),
                        "--port",
                        "" + port,
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--loglevel",
                        "warning")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Socket socket = new Socket();
            try {
                socket.connect(new InetSocketAddress("127.0.0.1", port));
                socket.setTcpNoDelay(true);
                return new RedisPeer(server, socket);
            } catch (IOException _) {
                socket.close();
                server.waitFor(10, TimeUnit.MILLISECONDS);
            }
        }
        server.destroyForcibly();
        throw new IOException("redis-server does not answer; try it by hand, or leave it out with --no-peers");
    }

    private RedisPeer(Process server, Socket socket) throws IOException {
        this.server = server;
        this.socket = socket;
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(socket.getInputStream(), 1 << 20);
    }

    /// One key, read over and over.
    KvTrial get(int requests) throws IOException {
        send(command(List.of("SET", "one", "1.5")));
        skipAnswer();
        byte[] get = command(List.of("GET", "one"));
        long[] times = new long[requests];
        double cpu = cpuSeconds();
        long begin = System.nanoTime();
        for (int r = 0; r < requests; r++) {
            long start = System.nanoTime();
            send(get);
            skipAnswer();
            times[r] = System.nanoTime() - start;
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        Arrays.sort(times);
        return new KvTrial(
                seconds,
                cpuSeconds() - cpu,
                requests,
                requests,
                0,
                times[requests / 2] / 1e9,
                times[(int) (requests * 0.99)] / 1e9,
                0);
    }

    /// Many keys with one command that names them all.
    KvTrial many(boolean push, int keys, int requests) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head(1 + (push ? 2 : 1) * keys, push ? "MSET" : "MGET"));
        for (int k = 0; k < keys; k++) {
            bytes.writeBytes(word(Long.toUnsignedString(Mix.mix(k))));
            if (push) {
                bytes.writeBytes(word("0.25"));
            }
        }
        return repeated(keys, requests, 1, bytes.toByteArray());
    }

    /// The nearest to a push that adds: a command a key, all sent before the first answer is read.
    KvTrial add(int keys, int requests) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int k = 0; k < keys; k++) {
            bytes.writeBytes(command(List.of("INCRBYFLOAT", Long.toUnsignedString(Mix.mix(k)), "0.25")));
        }
        return repeated(keys, requests, keys, bytes.toByteArray());
    }

    private KvTrial repeated(int keys, int requests, int answers, byte[] request) throws IOException {
        double cpu = cpuSeconds();
        long begin = System.nanoTime();
        for (int r = 0; r < requests; r++) {
            Thread sender = Thread.ofPlatform().daemon().start(() -> {
                try {
                    send(request);
                } catch (IOException e) {
                    throw new IllegalStateException("Redis does not take requests", e);
                }
            });
            for (int a = 0; a < answers; a++) {
                skipAnswer();
            }
            try {
                sender.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        long all = (long) keys * requests;
        return new KvTrial(seconds, cpuSeconds() - cpu, requests, all, 4 * all, Double.NaN, Double.NaN, 0);
    }

    private void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    private static byte[] command(List<String> words) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head(words.size(), words.getFirst()));
        words.stream().skip(1).forEach(word -> bytes.writeBytes(word(word)));
        return bytes.toByteArray();
    }

    private static byte[] head(int words, String first) {
        return ("*" + words + "\r\n$" + first.length() + "\r\n" + first + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] word(String text) {
        return ("$" + text.length() + "\r\n" + text + "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    /// Reads one answer: a status, a number, a string, or a list of these.
    private void skipAnswer() throws IOException {
        int kind = in.read();
        String line = line();
        switch (kind) {
            case '+', ':' -> {}
            case '$' -> {
                int length = Integer.parseInt(line);
                if (length >= 0) {
                    in.skipNBytes(length + 2L);
                }
            }
            case '*' -> {
                for (int left = Integer.parseInt(line); left > 0; left--) {
                    skipAnswer();
                }
            }
            default -> throw new IOException("Redis answered " + (char) kind + line);
        }
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\r'; c = in.read()) {
            if (c < 0) {
                throw new IOException("Redis has closed the connection");
            }
            line.append((char) c);
        }
        in.skipNBytes(1);
        return line.toString();
    }

    private double cpuSeconds() {
        return CpuClock.nanos(server.pid()) / 1e9;
    }

    @Override
    public void close() throws IOException {
        socket.close();
        server.destroyForcibly();
    }
}
