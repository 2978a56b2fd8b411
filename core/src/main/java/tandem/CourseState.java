package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/// Where a [Course] is between two steps, as it is kept for whoever goes on with it.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = BlockState.class, name = "blocks"),
    @JsonSubTypes.Type(value = DualState.class, name = "dual"),
    @JsonSubTypes.Type(value = LbfgsState.class, name = "lbfgs"),
    @JsonSubTypes.Type(value = ProximalState.class, name = "proximal")
})
sealed interface CourseState permits BlockState, DualState, LbfgsState, ProximalState {

    /// Iterations so far, as a report counts them.
    int done();
}
