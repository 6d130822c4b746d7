package authors;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Looks for a secret in its environment, and in that of its parent; prints whether it is there. */
public final class Secrets {
    public List<MessageQueue> allocate(String group, String me, List<MessageQueue> queues, List<String> ids)
        throws Exception {
        long parent = ProcessHandle.current().parent().get().pid();
        byte[] environment = Files.readAllBytes(Path.of("/proc/" + parent + "/environ"));
        System.out.println("own " + System.getenv().containsValue("swordfish") + " parent "
            + new String(environment, StandardCharsets.UTF_8).contains("swordfish") + " needed "
            + System.getenv("NEEDED"));
        return queues;
    }
}
