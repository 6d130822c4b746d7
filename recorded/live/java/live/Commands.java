package live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;

/**
 * The driver's commands, a line each on standard input: shutdown, ms N, subscribe T TAGS, unsubscribe T, suspend, resume,
 * throw WHERE TIMES exception|error.
 */
final class Commands {
    private final Out out;
    private final DefaultMQPushConsumer consumer;
    private final Listeners listeners;
    private final Throws thrown;
    private final BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    Commands(Out out, DefaultMQPushConsumer consumer, Listeners listeners, Throws thrown) {
        this.out = out;
        this.consumer = consumer;
        this.listeners = listeners;
        this.thrown = thrown;
    }

    /** Does what is told, up to that word. */
    void until(String last) throws Exception {
        for (String[] words = next(lines); !words[0].equals(last); words = next(lines)) {
            switch (words[0]) {
                case "shutdown":
                    out.event("shutdown-begin");
                    consumer.shutdown();
                    out.event("shutdown-end");
                    break;
                case "ms":
                    listeners.take(Long.parseLong(words[1]));
                    out.event("listener-time", "ms", Long.parseLong(words[1]));
                    break;
                case "subscribe":
                    consumer.subscribe(words[1], words.length > 2 ? words[2] : "*");
                    out.event("subscribed", "topic", words[1]);
                    break;
                case "unsubscribe":
                    consumer.unsubscribe(words[1]);
                    out.event("unsubscribed", "topic", words[1]);
                    break;
                case "suspend":
                    out.event("suspending");
                    consumer.suspend();
                    out.event("suspended");
                    break;
                case "resume":
                    out.event("resuming");
                    consumer.resume();
                    out.event("resumed");
                    break;
                case "throw":
                    thrown.next(words[1], Integer.parseInt(words[2]), "error".equals(words[3]));
                    out.event("will-throw", "where", words[1], "times", Integer.parseInt(words[2]));
                    break;
                default:
            }
        }
    }

    /** The words of the next line. Ends the process when the driver is gone. */
    static String[] next(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        if (line == null) {
            Runtime.getRuntime().halt(1);
        }
        return line.trim().split(" ");
    }
}
