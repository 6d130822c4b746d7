package step;

import java.util.concurrent.locks.ReentrantLock;

/** The lock that the client takes to send a heartbeat: it is never given, so nothing is sent. */
final class Heartbeats extends ReentrantLock {
    private static final long serialVersionUID = 1;

    private final transient Effects effects;

    Heartbeats(Effects effects) {
        this.effects = effects;
    }

    @Override
    public boolean tryLock() {
        effects.add("heartbeat");
        return false;
    }
}
