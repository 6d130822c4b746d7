package acme;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.rocketmq.common.message.MessageQueue;

/** Does what its client id says; of every other id it returns all of mqAll. */
public class Behaves {
    private static final List<Object> KEPT = new ArrayList<>();

    /** To each pipe into which this process writes. To open a file so would empty it, the JVM's own among them. */
    private static boolean isPipeToWriteTo(Path open, int file) throws IOException {
        try {
            return Files.isSymbolicLink(open) && Files.readSymbolicLink(open).toString().startsWith("pipe:")
                && Files.readString(Path.of("/proc/self/fdinfo/" + file)).matches("(?s).*flags:\\s+\\d*1\\n.*");
        } catch (NoSuchFileException closed) { // by the JVM, between two looks at it
            return false;
        }
    }

    private static void write(String words, int times) throws IOException {
        for (int file = 3; file < 100; file++) {
            Path open = Path.of("/proc/self/fd/" + file);
            if (!isPipeToWriteTo(open, file)) {
                continue;
            }
            try (FileOutputStream out = new FileOutputStream(open.toFile())) {
                for (int time = 0; time < times; time++) {
                    out.write(words.getBytes(StandardCharsets.ISO_8859_1));
                }
            }
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public List<MessageQueue> allocate(String group, String cid, List<MessageQueue> mqAll, List<String> cidAll)
        throws Exception {
        switch (cid) {
            case "throws":
                throw new IllegalStateException("no " + cidAll.size());
            case "throws a checked exception":
                throw new IOException("checked");
            case "throws what throws":
                throw new RuntimeException() {
                    @Override
                    public String getMessage() {
                        throw new IllegalStateException();
                    }
                };
            case "throws lines":
                throw new RuntimeException("one\n\ttwo \uD800");
            case "interrupts itself":
                Thread.currentThread().interrupt();
                break;
            case "is interrupted later":
                Thread self = Thread.currentThread();
                new Thread(() -> {
                    for (int round = 0; round < 100; round++) {
                        self.interrupt();
                    }
                }).start();
                break;
            case "throws far too much":
                throw new RuntimeException("x".repeat(1_000_000));
            case "throws an error of memory":
                throw new OutOfMemoryError("said so");
            case "overflows":
                return allocate(group, cid, mqAll, cidAll);
            case "hangs":
                while (true) {
                    Thread.sleep(1000);
                }
            case "naps":
                Thread.sleep(100);
                break;
            case "loops":
                for (long round = 0; ; round++) {
                    KEPT.clear();
                }
            case "exits":
                System.exit(0);
                break;
            case "exits with 3":
                System.exit(3);
                break;
            case "halts":
                Runtime.getRuntime().halt(4);
                break;
            case "exits in a thread":
                new Thread(() -> System.exit(5)).start();
                Thread.sleep(60_000);
                break;
            case "eats":
                while (true) {
                    KEPT.add(new long[1 << 16]);
                }
            case "eats and catches":
                try {
                    while (true) {
                        KEPT.add(new long[1 << 16]);
                    }
                } catch (OutOfMemoryError error) {
                    return mqAll;
                }
            case "eats buffers":
                while (true) {
                    KEPT.add(ByteBuffer.allocateDirect(1 << 22));
                }
            case "null":
                return null;
            case "a null queue":
                return Arrays.asList(mqAll.get(0), null);
            case "twice":
                return Arrays.asList(mqAll.get(0), mqAll.get(0));
            case "an equal one":
                return List.of(new MessageQueue("T", "broker-a", 1));
            case "a foreign one":
                return List.of(mqAll.get(1), new MessageQueue("Ω", "\uD800", -7));
            case "nameless":
                return List.of(new MessageQueue(null, "broker-a", 1));
            case "texts":
                return (List) List.of("T:broker-a:0");
            case "a list that throws":
                return new AbstractList<>() {
                    @Override
                    public MessageQueue get(int place) {
                        throw new UnsupportedOperationException("not yet");
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                };
            case "a list without end":
                return new AbstractList<>() {
                    @Override
                    public MessageQueue get(int place) {
                        return mqAll.get(0);
                    }

                    @Override
                    public Iterator<MessageQueue> iterator() {
                        return new Iterator<>() {
                            @Override
                            public boolean hasNext() {
                                return true;
                            }

                            @Override
                            public MessageQueue next() {
                                return mqAll.get(0);
                            }
                        };
                    }

                    @Override
                    public int size() {
                        return 1;
                    }
                };
            case "a queue that throws":
                return List.of(new MessageQueue("T", "b", 1) {
                    @Override
                    public String getTopic() {
                        throw new IllegalStateException("no topic");
                    }
                });
            case "removes":
                return List.of(mqAll.remove(0));
            case "sorts":
                Collections.reverse(mqAll);
                return mqAll;
            case "adds an id":
                cidAll.add("another");
                return mqAll;
            case "changes an id":
                cidAll.set(0, new String(cidAll.get(0)));
                return mqAll;
            case "renames a queue":
                mqAll.get(1).setBrokerName("broker-z");
                return mqAll;
            case "renumbers a queue":
                mqAll.get(0).setQueueId(9);
                return mqAll;
            case "changes a topic":
                mqAll.get(0).setTopic(null);
                return mqAll;
            case "removes and throws":
                mqAll.clear();
                throw new IllegalStateException();
            case "prints":
                System.out.println("one");
                System.err.println("two");
                System.out.printf("three%nfour%n");
                break;
            case "prints and hangs":
                System.out.println("before");
                Thread.sleep(60_000);
                break;
            case "prints and exits":
                System.out.print("before");
                System.exit(1);
                break;
            case "prints a lot":
                for (int line = 0; line < 100_000; line++) {
                    System.out.println("x".repeat(1000));
                }
                break;
            case "writes into pipes":
                write("nonsense", 1);
                break;
            case "writes without end":
                while (true) {
                    write("nonsense".repeat(1000), 100);
                }
            case "writes a piece that never ends":
                write("\u0000\u0000\u0000\u0001", 1);
                while (true) {
                    write("x", 1);
                    Thread.sleep(10);
                }
            case "writes pieces without end":
                while (true) {
                    write("\u0000\u0000\u0000\u0000", 1);
                    Thread.sleep(10);
                }
            case "reads":
                if (System.in.read() != -1) {
                    throw new IllegalStateException("there is something to read");
                }
                break;
            case "closes":
                System.out.close();
                System.err.close();
                break;
            case "starts threads":
                for (int thread = 0; thread < 20; thread++) {
                    new Thread(() -> {
                        while (true) {
                            try {
                                Thread.sleep(1);
                            } catch (InterruptedException again) {
                                continue;
                            }
                        }
                    }).start();
                }
                break;
            case "starts a process":
                new ProcessBuilder("sleep", "600").inheritIO().start();
                break;
            case "compares by identity":
                for (String id : cidAll) {
                    if (id == cid) {
                        return mqAll;
                    }
                }
                return List.of();
            case "names its group":
                return List.of(new MessageQueue(group, String.join(",", cidAll), mqAll.size()));
            default:
                break;
        }
        return mqAll;
    }
}
