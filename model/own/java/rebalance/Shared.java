package rebalance;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/**
 * Memory that the parent can read even after this process has ended during a call: how many calls of the batch have
 * begun, and what was printed since the last one began.
 */
final class Shared {
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int BEGUN = 0;
    private static final int LENGTH = 4;
    private static final int TEXT = 8;

    private final ByteBuffer memory;

    Shared(String path) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path, "rw")) {
            memory = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, file.length());
        }
    }

    /** Notes that one more call begins, and forgets what was printed before. */
    void begin(int begun) {
        if (length() != 0) {
            synchronized (this) {
                INT.setRelease(memory, LENGTH, 0);
            }
        }
        INT.setRelease(memory, BEGUN, begun);
    }

    private int length() {
        return (int) INT.getAcquire(memory, LENGTH);
    }

    /** The text that was printed since the call began, as far as it is kept. */
    String text() {
        int length = length();
        if (length == 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        memory.get(TEXT, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A stream that replaces standard output and standard error. What does not fit is dropped. */
    OutputStream printed() {
        return new OutputStream() {
            @Override
            public void write(int one) {
                write(new byte[] {(byte) one}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) {
                synchronized (Shared.this) {
                    int length = length();
                    int fits = Math.min(count, memory.capacity() - TEXT - length);
                    memory.put(TEXT + length, bytes, from, fits);
                    INT.setRelease(memory, LENGTH, length + fits);
                }
            }
        };
    }
}
