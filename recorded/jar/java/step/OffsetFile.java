package step;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.common.message.MessageQueue;

/** The file of the client's {@code LocalFileOffsetStore}. */
final class OffsetFile {
    private static final long LONG_AGO = 1_000_000_000_000L;

    private final File file;
    private final MQClientInstance instance;
    private final String group;

    OffsetFile(MQClientInstance instance, String group, Object store) throws IOException {
        this.instance = instance;
        this.group = group;
        file = new File((String) Reflect.read(store, "storePath"));
        for (String suffix : new String[] {"", ".bak", ".tmp"}) {
            Files.deleteIfExists(new File(file.getPath() + suffix).toPath());
        }
    }

    /** Stores an offset as the client does. */
    void store(MessageQueue queue, long offset) throws Throwable {
        Object other = Store.local(instance, group);
        Reflect.call(Reflect.method(other.getClass(), "updateOffset", 3), other, queue, offset, false);
        Reflect.call(Reflect.method(other.getClass(), "persistAll", 1), other, Set.of(queue));
        Files.deleteIfExists(new File(file.getPath() + ".bak").toPath());
    }

    /** Makes the file unreadable for the client. */
    void spoil() throws IOException {
        file.getParentFile().mkdirs();
        for (String suffix : new String[] {"", ".bak"}) {
            Files.writeString(new File(file.getPath() + suffix).toPath(), "{no offsets");
        }
    }

    /** The offsets that another consumer reads from the file. */
    Object offsets() throws Throwable {
        Object other = Store.local(instance, group);
        try {
            Reflect.call(Reflect.method(other.getClass(), "load", 0), other);
        } catch (Reflect.Unknown e) {
            throw e;
        } catch (Exception e) { // the file cannot be read
            return Map.of();
        }
        return Reflect.call(Reflect.method(other.getClass(), "cloneOffsetTable", 1), other, "");
    }

    /** Runs an action and then {@code written} if it has written the file. */
    Object observe(Callable<Object> action, Runnable written) throws Throwable {
        file.setLastModified(LONG_AGO);
        boolean existed = file.exists();
        Object result = action.call();
        if (file.exists() && (!existed || file.lastModified() != LONG_AGO)) {
            written.run();
        }
        return result;
    }
}
