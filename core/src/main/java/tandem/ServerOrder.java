package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import tandem.report.Json;

/// What servers are told to do.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ServerOrder.Copy.class, name = "copy"),
    @JsonSubTypes.Type(value = ServerOrder.FindAstray.class, name = "find astray"),
    @JsonSubTypes.Type(value = ServerOrder.Measure.class, name = "measure"),
    @JsonSubTypes.Type(value = ServerOrder.Restore.class, name = "restore"),
    @JsonSubTypes.Type(value = ServerOrder.Save.class, name = "save"),
    @JsonSubTypes.Type(value = ServerOrder.Start.class, name = "start"),
    @JsonSubTypes.Type(value = ServerOrder.Sum.class, name = "sum"),
    @JsonSubTypes.Type(value = ServerOrder.Write.class, name = "write")
})
sealed interface ServerOrder {

    default byte[] bytes() {
        return Json.bytes(this);
    }

    /// Puts the weights of a problem into files of the model.
    ///
    /// @param epoch  in which it is told to
    /// @param astray weights that are on other servers than their files; null if there are none
    record Save(int problem, long epoch, Astray astray) implements ServerOrder {}

    /// Tells which of its weights belong into files of other servers.
    record FindAstray(int problem) implements ServerOrder {}

    /// Tells what the weights of a problem add up to.
    record Sum(int problem) implements ServerOrder {}

    /// Begins with the weights of an earlier model.
    record Start() implements ServerOrder {}

    /// Copies what it holds, for a checkpoint.
    ///
    /// @param last the number of the newest checkpoint
    record Copy(long last) implements ServerOrder {}

    /// Writes what it copied.
    ///
    /// @param generation the number of the checkpoint
    record Write(long generation) implements ServerOrder {}

    /// Begins with what a checkpoint has.
    record Restore() implements ServerOrder {}

    /// Tells how much it holds.
    record Measure() implements ServerOrder {}
}
