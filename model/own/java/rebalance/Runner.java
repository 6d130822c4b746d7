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
 * A JVM of its own for a user's allocation strategy: it is constructed once and then asked, batch after batch, for as
 * long as whoever started this process lives. What comes and goes through the two pipes is described in
 * {@code protocol.py}; neither is standard input or output, which belong to the strategy.
 */
public final class Runner {
    private static final int BROKEN = 97;
    private static final int STARTED = -1;
    private static final long PARENT_MS = 1000;

    private Runner() {
    }

    /** Paths of three open files: requests, answers, and what is shared. */
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
                Member member = construct(next(requests), answers);
                while (member != null) {
                    member.answer(new Batch(next(requests), member.queueType()), shared, answers);
                }
            } catch (Throwable error) { // of the strategy's own everything is caught before
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

    /** Null after a complaint: there is nothing to do but wait for the end. */
    private static Member construct(ByteBuffer request, Answers answers) throws IOException {
        String[] words = Batch.strings(request);
        Member member = null;
        try {
            Construction construction = new Construction(words);
            member = Member.of(construction.object());
            answers.text("");
            answers.text(member.queueType().name());
            answers.text(construction.parameters());
        } catch (NoStrategyException error) {
            answers.text(error.getMessage());
        } catch (LinkageError error) { // a class of some signature is not there
            answers.text(Loading.unloaded("the strategy", error));
        }
        answers.flush();
        return member;
    }

    /** Whatever interrupts the thread is the strategy's, and means nothing here. */
    private static ByteBuffer next(SynchronousQueue<ByteBuffer> requests) {
        while (true) {
            try {
                return requests.take();
            } catch (InterruptedException again) {
                continue;
            }
        }
    }

    /** The pipe's end tells it too, unless a process that the parent has forked still holds the other end. */
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
