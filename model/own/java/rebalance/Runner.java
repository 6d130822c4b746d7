package rebalance;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.SynchronousQueue;

/**
 * A JVM for a user's allocation strategy, which is constructed once and then called, batch after batch, as long as the
 * parent process lives. {@code protocol.py} describes the data in the two pipes; neither of them is standard input or
 * output, which belong to the strategy.
 */
public final class Runner {
    private static final int BROKEN = 97;
    private static final int STARTED = -1;
    /** Starts a batch before which the strategy's classes are loaded again. */
    private static final int RENEW = -1;
    private static final long PARENT_MS = 1000;

    private Runner() {
    }

    /** Paths of three open files: requests, answers, and shared memory. */
    public static void main(String[] paths) throws Exception {
        PrintStream complaints = System.err;
        Shared shared = new Shared(paths[2]);
        PrintStream printed = new PrintStream(shared.printed(), true, StandardCharsets.UTF_8);
        System.setOut(printed);
        System.setErr(printed);
        System.setIn(InputStream.nullInputStream());
        shared.begin(STARTED);
        endWithParent();
        SynchronousQueue<ByteBuffer> requests = new SynchronousQueue<>();
        Answers answers = new Answers(new FileOutputStream(paths[1]));
        Thread strategy = new Thread(() -> {
            try {
                String[] words = Batch.strings(next(requests));
                Member member = construct(words, answers);
                while (member != null) {
                    ByteBuffer request = next(requests);
                    if (request.getInt(0) == RENEW) {
                        request.getInt();
                        Loading.renew();
                        member = Member.of(new Construction(words).object());
                    }
                    member.answer(new Batch(request, member.queueType()), shared, answers);
                }
            } catch (Throwable error) { // exceptions of the strategy are caught before
                error.printStackTrace(complaints);
                Runtime.getRuntime().halt(BROKEN);
            }
        }, "RebalanceService");
        strategy.setDaemon(true);
        strategy.start();
        // Requests are read here even while a call runs, so that the end of the parent is noticed.
        try (DataInputStream in = new DataInputStream(new FileInputStream(paths[0]))) {
            while (true) {
                byte[] request = new byte[Integer.reverseBytes(in.readInt())];
                in.readFully(request);
                requests.put(ByteBuffer.wrap(request).order(ByteOrder.LITTLE_ENDIAN));
            }
        } catch (EOFException gone) {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Null after an error was answered: then there is nothing to do but wait for the end. */
    private static Member construct(String[] words, Answers answers) throws IOException {
        Member member = null;
        try {
            Construction construction = new Construction(words);
            member = Member.of(construction.object());
            answers.text("");
            answers.text(member.queueType().name());
            answers.text(construction.parameters());
        } catch (NoStrategyException error) {
            answers.text(error.getMessage());
        } catch (LinkageError error) { // a class of some signature is missing
            answers.text(Loading.unloaded("the strategy", error));
        }
        answers.flush();
        return member;
    }

    /** The next request. Interrupts of the thread come from the strategy, and are ignored. */
    private static ByteBuffer next(SynchronousQueue<ByteBuffer> requests) {
        while (true) {
            try {
                return requests.take();
            } catch (InterruptedException again) {
                continue;
            }
        }
    }

    /** Ends with the parent, even if a process that the parent has forked still holds the other end of the pipe. */
    private static void endWithParent() {
        long parent = parent();
        Thread watch = new Thread(() -> {
            while (parent() == parent) {
                try {
                    Thread.sleep(PARENT_MS);
                } catch (InterruptedException nobody) {
                    continue;
                }
            }
            Runtime.getRuntime().halt(0);
        }, "parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static long parent() {
        return ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(-1L);
    }
}
