package tandem.data;

import java.util.List;

/// The distinct labels of a data set, in ascending order: numbers by value, names alphabetically.
///
/// `names` holds each label as text; where all are numbers `numeric` is true and a batch carries the
/// number itself, otherwise it carries the index into `names`. Beyond [#LIMIT] distinct numbers the list
/// is given up (`names` is empty and `many` is true): that is regression.
public record Labels(List<String> names, boolean numeric, boolean many) {

    /// More distinct labels than this are not classes.
    public static final int LIMIT = 1_000;

    /// No labels seen yet.
    public static final Labels NONE = new Labels(List.of(), true, false);

    public Labels {
        names = List.copyOf(names);
        if (many && !names.isEmpty()) {
            throw new IllegalArgumentException("labels are either listed or too many to list");
        }
    }

    /// What a batch carries for class `index`.
    public double code(int index) {
        return numeric ? Double.parseDouble(names.get(index)) : index;
    }
}
