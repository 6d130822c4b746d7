package live;

/** RequestCode's numbers, which are the same in all releases. */
final class Codes {
    static final int SEND = 10;
    static final int PULL = 11;
    static final int QUERY_OFFSET = 14;
    static final int UPDATE_OFFSET = 15;
    static final int MAX_OFFSET = 30;
    static final int HEARTBEAT = 34;
    static final int UNREGISTER = 35;
    static final int CONSUMER_LIST = 38;
    static final int NOTIFY = 40;
    static final int LOCK = 41;
    static final int UNLOCK = 42;
    static final int ROUTE = 105;
    static final int RESET_CLIENT = 220;
    static final int RESET = 222;
    static final int SEND_V2 = 310;

    /** ResponseCode: a pull that found nothing, and was not refused. */
    static final int PULL_NOT_FOUND = 19;

    private Codes() {
    }
}
