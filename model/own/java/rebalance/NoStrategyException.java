package rebalance;

/** What the user has named is no strategy that can be called; the message is a sentence for them. */
final class NoStrategyException extends Exception {
    private static final long serialVersionUID = 1L;

    NoStrategyException(String message) {
        super(message);
    }
}
