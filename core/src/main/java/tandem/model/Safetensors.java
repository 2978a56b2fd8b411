package tandem.model;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/// The header of a safetensors file: which tensors it has and where they lie.
///
/// A file is the length of the header (8 bytes, little-endian), the header (JSON, padded with spaces to a
/// multiple of 8), and the tensors one after another without a gap. Offsets count from the end of the header.
record Safetensors(List<Tensor> tensors, Map<String, String> metadata) {

    /// The longest header that readers of the format accept.
    static final int MAX_HEADER_BYTES = 100_000_000;

    private static final String METADATA = "__metadata__";
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    /// The types of number that Tandem writes.
    enum Type {
        U64(8),
        F64(8),
        F32(4);

        final int bytes;

        Type(int bytes) {
            this.bytes = bytes;
        }
    }

    /// A tensor and its bytes, from `start` until `end`.
    record Tensor(String name, Type type, List<Long> shape, long start, long end) {

        long elements() {
            return (end - start) / type.bytes;
        }
    }

    /// Places tensors one after another.
    Safetensors with(String name, Type type, long... shape) {
        long start = dataBytes();
        long elements = 1;
        List<Long> sizes = new ArrayList<>();
        for (long size : shape) {
            elements = Math.multiplyExact(elements, size);
            sizes.add(size);
        }
        List<Tensor> longer = new ArrayList<>(tensors);
        longer.add(new Tensor(name, type, sizes, start, start + elements * type.bytes));
        return new Safetensors(longer, metadata);
    }

    long dataBytes() {
        return tensors.isEmpty() ? 0 : tensors.getLast().end();
    }

    Tensor tensor(String name) throws IOException {
        for (Tensor tensor : tensors) {
            if (tensor.name().equals(name)) {
                return tensor;
            }
        }
        throw new IOException("it has no tensor named " + name);
    }

    byte[] encode() {
        ObjectNode root = MAPPER.createObjectNode();
        if (!metadata.isEmpty()) {
            root.set(METADATA, MAPPER.valueToTree(metadata));
        }
        for (Tensor tensor : tensors) {
            ObjectNode entry =
                    root.putObject(tensor.name()).put("dtype", tensor.type().name());
            tensor.shape().forEach(entry.putArray("shape")::add);
            entry.putArray("data_offsets").add(tensor.start()).add(tensor.end());
        }
        String text = root.toString();
        int padding = -text.getBytes(StandardCharsets.UTF_8).length & 7;
        return (text + " ".repeat(padding)).getBytes(StandardCharsets.UTF_8);
    }

    /// Reads a header and checks it against the `dataBytes` that follow it, before anything relies on it.
    static Safetensors decode(byte[] header, long dataBytes) throws IOException {
        if (header.length == 0 || header[0] != '{') {
            throw new IOException("its header does not start with {");
        }
        JsonNode root;
        try {
            root = MAPPER.readTree(header);
        } catch (JsonProcessingException e) {
            throw new IOException("its header is not JSON: " + e.getOriginalMessage(), e);
        }
        List<Tensor> tensors = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : root.properties()) {
            if (!entry.getKey().equals(METADATA)) {
                tensors.add(tensor(entry.getKey(), entry.getValue()));
            }
        }
        tensors.sort(Comparator.comparingLong(Tensor::start).thenComparingLong(Tensor::end));
        long end = 0;
        for (Tensor tensor : tensors) {
            if (tensor.start() != end) {
                throw new IOException("tensor " + tensor.name() + " starts at byte " + tensor.start() + " where " + end
                        + " was expected");
            }
            end = tensor.end();
        }
        if (end != dataBytes) {
            throw new IOException("its header speaks of " + end + " bytes of data, but " + dataBytes + " are there");
        }
        return new Safetensors(List.copyOf(tensors), Map.of());
    }

    private static Tensor tensor(String name, JsonNode entry) throws IOException {
        JsonNode shape = entry.path("shape");
        JsonNode offsets = entry.path("data_offsets");
        if (!shape.isArray() || !offsets.isArray() || offsets.size() != 2) {
            throw new IOException("tensor " + name + " has no shape or offsets");
        }
        Type type = type(name, entry.path("dtype").asText());
        List<Long> sizes = new ArrayList<>();
        long bytes = type.bytes;
        for (JsonNode size : shape) {
            long count = count(name, size);
            sizes.add(count);
            if (count != 0 && bytes > Long.MAX_VALUE / count) {
                throw new IOException("tensor " + name + " has an impossible shape " + shape);
            }
            bytes *= count;
        }
        long start = count(name, offsets.get(0));
        long end = count(name, offsets.get(1));
        if (end < start || end - start != bytes) {
            throw new IOException(
                    "tensor " + name + " of shape " + shape + " cannot lie at bytes " + start + " to " + end);
        }
        return new Tensor(name, type, List.copyOf(sizes), start, end);
    }

    private static Type type(String tensor, String name) throws IOException {
        for (Type type : Type.values()) {
            if (type.name().equals(name)) {
                return type;
            }
        }
        throw new IOException("tensor " + tensor + " is of type \"" + name + "\"; U64, F32 and F64 can be read");
    }

    private static long count(String tensor, JsonNode node) throws IOException {
        if (!node.isIntegralNumber() || !node.canConvertToLong() || node.longValue() < 0) {
            throw new IOException("tensor " + tensor + " has " + node + " where a count belongs");
        }
        return node.longValue();
    }
}
