package tandem.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// LIBSVM text read the plain way, a line and a word at a time.
final class PlainParser {

    private PlainParser() {}

    static long rows(Path file) throws IOException {
        long rows = 0;
        double checksum = 0;
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                checksum += Double.parseDouble(words[0]);
                for (int w = 1; w < words.length; w++) {
                    int colon = words[w].indexOf(':');
                    checksum += Long.parseLong(words[w], 0, colon, 10);
                    checksum += Float.parseFloat(words[w].substring(colon + 1));
                }
                rows++;
            }
        }
        if (Double.isNaN(checksum)) {
            throw new IOException(file + ": a number is missing");
        }
        return rows;
    }
}
