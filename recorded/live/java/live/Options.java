package live;

import java.util.Map;
import java.util.TreeMap;

/** Options of a process: words key=value. */
final class Options {
    private final Map<String, String> values = new TreeMap<>();

    Options(String[] words) {
        for (String word : words) {
            int at = word.indexOf('=');
            values.put(word.substring(0, at), word.substring(at + 1));
        }
    }

    String get(String key) {
        return values.get(key);
    }

    String get(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** The options whose key has that beginning, without it. */
    Map<String, String> below(String beginning) {
        Map<String, String> found = new TreeMap<>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            if (each.getKey().startsWith(beginning)) {
                found.put(each.getKey().substring(beginning.length()), each.getValue());
            }
        }
        return found;
    }

    /** All options but where the events go, which is of no interest to whoever reads them. */
    Map<String, String> told() {
        Map<String, String> found = new TreeMap<>(values);
        found.remove("out");
        return found;
    }
}
