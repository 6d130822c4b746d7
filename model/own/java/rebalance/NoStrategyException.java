package rebalance;

/** The user has not named a strategy that can be called; the message is a sentence for the user. */
final class NoStrategyException extends Exception {
    private static final long serialVersionUID = 1L;

    NoStrategyException(String message) {
        super(message);
    }
}
