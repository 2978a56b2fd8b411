package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One line of a reproduction: what a system did under several seeds, and what was published of it, in words.
record SeedsRow(String part, String system, List<Figure> figures, String published, int runs) implements Measured {

    /// @param results the figures of each run, by their names, all of the same names
    static SeedsRow of(String part, String system, String published, List<Map<String, Double>> results) {
        Map<String, List<Double>> byName = new LinkedHashMap<>();
        for (Map<String, Double> run : results) {
            run.forEach((name, value) ->
                    byName.computeIfAbsent(name, _ -> new ArrayList<>()).add(value));
        }
        List<Figure> figures = byName.entrySet().stream()
                .map(one -> Figure.of(one.getKey(), one.getValue()))
                .toList();
        return new SeedsRow(part, system, figures, published, results.size());
    }

    /// The median of a figure.
    double median(String name) {
        return figures.stream()
                .filter(figure -> figure.name().equals(name))
                .findFirst()
                .orElseThrow()
                .median();
    }

    @Override
    public List<Cell> cells() {
        List<Cell> cells = new ArrayList<>();
        cells.add(new Cell("system", system));
        figures.forEach(figure -> cells.add(new Cell(figure.name(), figure.text())));
        cells.add(new Cell("runs", String.valueOf(runs)));
        cells.add(new Cell("published", published));
        return cells;
    }
}
