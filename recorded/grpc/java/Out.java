package org.apache.rocketmq.client.java.impl.consumer;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The events of this process: a JSON line each. */
final class Out {
    private final OutputStream file;
    private final String who;
    private int n;

    Out(String path, String who) throws IOException {
        this.file = new FileOutputStream(path, true);
        this.who = who;
    }

    synchronized void event(String name, String more) {
        String line = "{\"at\":" + System.currentTimeMillis() + ",\"who\":\"" + who + "\",\"ev\":\"" + name + "\""
                + more + ",\"n\":" + n++ + "}\n";
        try {
            file.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalStateException("the recording cannot be written", e);
        }
    }
}
