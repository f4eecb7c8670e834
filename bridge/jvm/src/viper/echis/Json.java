package viper.echis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as it is spoken with `echis serve`: objects are maps, arrays lists, numbers doubles. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.space();
        if (json.at < text.length()) {
            throw json.wrong("the end");
        }
        return value;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(Object value) {
        return value instanceof List ? (List<Object>) value : List.of();
    }

    static String string(Object value) {
        return value instanceof String s ? s : "";
    }

    static int integer(Object value) {
        return value instanceof Double d ? (int) (double) d : 0;
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                write(entry.getKey(), out);
                out.append(':');
                write(entry.getValue(), out);
                before = ",";
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            String before = "[";
            for (Object element : list) {
                out.append(before);
                write(element, out);
                before = ",";
            }
            out.append(before.equals("[") ? "[]" : "]");
        } else if (value instanceof String s) {
            quote(s, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value() {
        space();
        char c = at < text.length() ? text.charAt(at) : 0;
        switch (c) {
            case '{':
                return members();
            case '[':
                return elements();
            case '"':
                return quoted();
            case 't':
                return word("true", true);
            case 'f':
                return word("false", false);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> members() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        space();
        while (!skip('}')) {
            space();
            String key = quoted();
            space();
            expect(':');
            map.put(key, value());
            space();
            if (!skip(',') && text.charAt(at) != '}') {
                throw wrong("`,` or `}`");
            }
        }
        return map;
    }

    private List<Object> elements() {
        List<Object> list = new ArrayList<>();
        at++;
        space();
        while (!skip(']')) {
            list.add(value());
            space();
            if (!skip(',') && text.charAt(at) != ']') {
                throw wrong("`,` or `]`");
            }
        }
        return list;
    }

    private String quoted() {
        expect('"');
        StringBuilder out = new StringBuilder();
        while (!skip('"')) {
            char c = text.charAt(at++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = text.charAt(at++);
            switch (escaped) {
                case 'n' -> out.append('\n');
                case 't' -> out.append('\t');
                case 'r' -> out.append('\r');
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'u' -> {
                    out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong(word);
        }
        at += word.length();
        return value;
    }

    private Double number() {
        int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (start == at) {
            throw wrong("a value");
        }
        return Double.valueOf(text.substring(start, at));
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean skip(char c) {
        if (at >= text.length()) {
            throw wrong("`" + c + "`");
        }
        if (text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!skip(c)) {
            throw wrong("`" + c + "`");
        }
    }

    private IllegalArgumentException wrong(String wanted) {
        return new IllegalArgumentException("JSON with something else than " + wanted + " at character " + at);
    }
}
