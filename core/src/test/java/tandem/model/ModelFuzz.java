package tandem.model;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Whatever the bytes, a model is read or refused with a message.
class ModelFuzz {

    @FuzzTest(maxDuration = "30s")
    void safetensors(byte[] bytes) {
        try {
            Safetensors header = Safetensors.decode(bytes, 1 << 10);
            for (Safetensors.Tensor tensor : header.tensors()) {
                if (tensor.start() < 0 || tensor.end() < tensor.start() || tensor.end() > 1 << 10) {
                    throw new AssertionError(tensor + " is outside the file");
                }
            }
        } catch (IOException expected) {
            // A message about the header.
        }
    }

    @FuzzTest(maxDuration = "30s")
    void modelJson(byte[] bytes) {
        try {
            ModelJson.decode(new String(bytes, StandardCharsets.UTF_8));
        } catch (IOException expected) {
            // A message about the text.
        }
    }
}
