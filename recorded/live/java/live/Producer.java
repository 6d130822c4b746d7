package live;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.rocketmq.client.producer.DefaultMQProducer;

/**
 * Makes topics, and sends messages. Options: out, who, ns, and those of Trickle. Commands: create T N (a topic with so
 * many queues), reset G T MS (offsets), send, stop, quit.
 */
public final class Producer {
    private static final int TIMEOUT_MS = 3000;

    private Producer() {
    }

    public static void main(String[] words) throws Exception {
        Options options = new Options(words);
        Out out = new Out(options.get("out"), options.get("who"));
        Release.tell(out);
        DefaultMQProducer producer = new DefaultMQProducer("P");
        producer.setNamesrvAddr(options.get("ns"));
        producer.setClientIP("127.0.0.1");
        producer.setInstanceName(options.get("who"));
        producer.setSendMsgTimeout(TIMEOUT_MS);
        producer.setRetryTimesWhenSendFailed(0);
        producer.start();
        Trickle trickle = new Trickle(out, producer, options);
        out.event("producer-started");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String[] told = Commands.next(lines); !told[0].equals("quit"); told = Commands.next(lines)) {
            switch (told[0]) {
                case "create":
                    Topics.create(out, producer, told[1], Integer.parseInt(told[2]));
                    break;
                case "reset":
                    Resets.ask(out, producer, told[1], told[2], Long.parseLong(told[3]));
                    break;
                case "send":
                    trickle.start();
                    break;
                case "stop":
                    trickle.end();
                    break;
                default:
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
