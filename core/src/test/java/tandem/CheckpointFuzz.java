package tandem;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/// Whatever the bytes, a checkpoint is read or refused with a message.
class CheckpointFuzz {

    @FuzzTest(maxDuration = "30s")
    void checkpoint(byte[] bytes) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        var made = new ByteArrayOutputStream();
        var out = new DataOutputStream(made);
        out.write(bytes);
        out.writeLong(crc.getValue());
        Path file = Files.createTempFile("checkpoint", null);
        try {
            Files.write(file, made.toByteArray());
            Checkpoint.read(file);
        } catch (IOException expected) {
            // A message about the file.
        } finally {
            Files.delete(file);
        }
    }
}
