package rebalance;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The pipe for answers: pieces of limited size, unless one answer is larger, each with its length in front. */
final class Answers {
    private static final int PIECE = 1 << 15;
    private static final int LENGTH = 4;

    private final OutputStream out;
    private ByteBuffer buffer = ByteBuffer.allocate(2 * PIECE).order(ByteOrder.LITTLE_ENDIAN).position(LENGTH);

    Answers(OutputStream out) {
        this.out = out;
    }

    void number(int number) {
        room(4);
        buffer.putInt(number);
    }

    /** Writes a text: its number of chars, and the chars, padded so that a number can follow. */
    void text(String text) {
        int padded = text.length() + text.length() % 2;
        room(4 + 2 * padded);
        buffer.putInt(text.length());
        for (int place = 0; place < padded; place++) {
            buffer.putChar(place < text.length() ? text.charAt(place) : 0);
        }
    }

    /** Called when an answer is complete. */
    void next() throws IOException {
        if (buffer.position() >= PIECE) {
            flush();
        }
    }

    void flush() throws IOException {
        if (buffer.position() > LENGTH) {
            buffer.putInt(0, buffer.position() - LENGTH);
            out.write(buffer.array(), 0, buffer.position());
            buffer.position(LENGTH);
        }
    }

    private void room(int bytes) {
        if (buffer.remaining() < bytes) {
            int size = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
            buffer = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(buffer.flip());
        }
    }
}
