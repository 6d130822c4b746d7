package live;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The events of one process, a JSON line each, written at once: what was written survives kill -9. */
final class Out {
    private final OutputStream file;
    private final String who;
    private long n;

    Out(String path, String who) throws IOException {
        this.file = new FileOutputStream(path, true);
        this.who = who;
    }

    /** An event, with keys and values in turn. Its time is taken before the line waits for its turn. */
    void event(String name, Object... pairs) {
        long at = System.currentTimeMillis();
        StringBuilder line = new StringBuilder(200);
        line.append("{\"at\":").append(at).append(",\"who\":");
        value(line, who);
        line.append(",\"ev\":");
        value(line, name);
        for (int i = 0; i + 1 < pairs.length; i += 2) {
            line.append(',');
            value(line, pairs[i]);
            line.append(':');
            value(line, pairs[i + 1]);
        }
        synchronized (this) {
            line.append(",\"n\":").append(n++).append("}\n");
            try {
                file.write(line.toString().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException("the recording cannot be written", e);
            }
        }
    }

    /** Events that this release of RocketMQ does not let be taken, and why. */
    void cannot(Throwable why, String... events) {
        event("cannot", "what", java.util.Arrays.asList(events), "why", why.toString());
    }

    private static void value(StringBuilder line, Object value) {
        if (value == null || value instanceof Number || value instanceof Boolean) {
            line.append(value);
        } else if (value instanceof Map) {
            String before = "{";
            line.append(((Map<?, ?>) value).isEmpty() ? before : "");
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                line.append(before);
                value(line, String.valueOf(entry.getKey()));
                line.append(':');
                value(line, entry.getValue());
                before = ",";
            }
            line.append('}');
        } else if (value instanceof Iterable) {
            String before = "";
            line.append('[');
            for (Object each : (Iterable<?>) value) {
                line.append(before);
                value(line, each);
                before = ",";
            }
            line.append(']');
        } else {
            text(line, value.toString());
        }
    }

    private static void text(StringBuilder line, String text) {
        line.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                line.append('\\').append(c);
            } else if (c < 32 || Character.isSurrogate(c)) {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        line.append('"');
    }
}
