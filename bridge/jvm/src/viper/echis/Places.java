package viper.echis;

import java.util.ArrayList;
import java.util.List;
import viper.silver.ast.Node;

/**
 * Which part of a printed program belongs to which node of the client's. The same node may stand in several places; each
 * place has its own entry, with the place around it.
 */
final class Places {
    /** From its first character to just behind its last one. */
    static final class Place {
        final Node node;
        final Place around;
        final int start;
        int end;
        final List<Place> inside = new ArrayList<>();

        Place(Node node, Place around, int start) {
            this.node = node;
            this.around = around;
            this.start = start;
        }
    }

    private final List<Place> roots = new ArrayList<>();
    private Place open;
    private String text = "";
    private int[] lines = {};

    void begin(Node node, int at) {
        Place place = new Place(node, open, at);
        (open == null ? roots : open.inside).add(place);
        open = place;
    }

    void end(int at) {
        open.end = at;
        open = open.around;
    }

    List<Place> roots() {
        return roots;
    }

    /** The text that the places are in, when it is complete. */
    void close(String text) {
        this.text = text;
        List<Integer> starts = new ArrayList<>(List.of(0));
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\n') {
                starts.add(i + 1);
            }
        }
        lines = starts.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Lines and columns count from 1, columns in code points. */
    int offset(int line, int column) {
        if (line < 1 || line > lines.length) {
            return -1;
        }
        int start = lines[line - 1];
        int end = line < lines.length ? lines[line] : text.length();
        int steps = Math.min(column - 1, text.codePointCount(start, end));
        return text.offsetByCodePoints(start, steps);
    }

    /** The way back, for tests. */
    int[] lineAndColumn(int offset) {
        int line = 0;
        while (line + 1 < lines.length && lines[line + 1] <= offset) {
            line++;
        }
        return new int[] {line + 1, text.codePointCount(lines[line], offset) + 1};
    }

    /**
     * The node of a kind that a range speaks of: one that has just this range, else the first inside of it, else the
     * innermost around it. Null if there is none.
     */
    <T> T find(int start, int end, Class<T> kind) {
        Place place = place(start, end, kind);
        return place == null ? null : kind.cast(place.node);
    }

    Place place(int start, int end, Class<?> kind) {
        while (start < end && isPadding(text.charAt(start)) && isPadding(text.charAt(end - 1)) && wraps(start, end)) {
            start++;
            end--;
        }
        Place innermost = innermost(start, end);
        if (innermost == null) {
            return null;
        }
        Place outermost = innermost;
        while (outermost.around != null && outermost.around.start == start && outermost.around.end == end) {
            outermost = outermost.around;
        }
        Place found = within(outermost, start, end, kind);
        for (Place place = outermost; found == null && place != null; place = place.around) {
            found = kind.isInstance(place.node) ? place : null;
        }
        return found;
    }

    private static boolean isPadding(char c) {
        return c == '(' || c == ')';
    }

    /** Whether the first parenthesis is closed by the last one. */
    private boolean wraps(int start, int end) {
        int depth = 0;
        for (int i = start; i < end; i++) {
            depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return i == end - 1;
            }
        }
        return false;
    }

    private Place innermost(int start, int end) {
        Place found = null;
        List<Place> among = roots;
        while (true) {
            Place next = around(among, start, end);
            if (next == null) {
                return found;
            }
            found = next;
            among = next.inside;
        }
    }

    private static Place around(List<Place> among, int start, int end) {
        for (Place place : among) {
            if (place.start <= start && end <= place.end) {
                return place;
            }
        }
        return null;
    }

    /** Outer places first, then in the order of the text. */
    private static Place within(Place place, int start, int end, Class<?> kind) {
        List<Place> level = List.of(place);
        while (!level.isEmpty()) {
            List<Place> next = new ArrayList<>();
            for (Place each : level) {
                if (start <= each.start && each.end <= end && kind.isInstance(each.node)) {
                    return each;
                }
                next.addAll(each.inside);
            }
            level = next;
        }
        return null;
    }
}
