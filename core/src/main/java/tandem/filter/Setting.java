package tandem.filter;

import java.util.Locale;

/// What follows the name of a filter, as `2` in `fixed:2`.
///
/// @param filter the name, for messages
/// @param text   null if nothing follows
public record Setting(String filter, String text) {

    /// That nothing follows, where there is nothing to set.
    public void none() {
        if (text != null) {
            throw new IllegalArgumentException(
                    "filter " + filter + " has nothing to set, but was given " + text + "; use just " + filter);
        }
    }

    /// The whole number that follows, or `usual` if nothing does.
    public int whole(int usual) {
        return (int) number(usual, true);
    }

    /// The number that follows; there has to be one, such as `example`.
    public double number(String example) {
        if (text == null) {
            throw new IllegalArgumentException(
                    "filter " + filter + " needs a number, such as " + filter + ":" + example);
        }
        return number(0, false);
    }

    /// The word that follows, one of `words` in any case, or `usual` if nothing does.
    public <E extends Enum<E>> E word(Class<E> words, E usual) {
        if (text == null) {
            return usual;
        }
        StringBuilder all = new StringBuilder();
        for (E word : words.getEnumConstants()) {
            String name = word.name().toLowerCase(Locale.ROOT);
            if (name.equals(text)) {
                return word;
            }
            all.append(all.isEmpty() ? "" : ", ").append(filter).append(':').append(name);
        }
        throw new IllegalArgumentException(
                "filter " + filter + " was given " + text + ", which it does not know; there are " + all);
    }

    private double number(double usual, boolean whole) {
        try {
            return text == null ? usual : whole ? Integer.parseInt(text) : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "filter " + filter + " was given " + text + ", which is not a " + (whole ? "whole " : "")
                            + "number",
                    e);
        }
    }
}
