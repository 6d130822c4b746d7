package rebalance;

/** An exception in a few words. Its own methods are the strategy's, too, and may do anything. */
final class Thrown {
    private static final int MOST = 400;

    private Thrown() {
    }

    /** Its class, its message, and where it was thrown. */
    static String said(Throwable error) {
        return cut(described(error)) + place(error);
    }

    private static String described(Throwable error) {
        String name = error.getClass().getName();
        try {
            String message = error.getMessage();
            if (message == null && error.getCause() != null && error.getCause() != error) {
                return name + " (caused by " + described(error.getCause()) + ")";
            }
            return message == null ? name : name + ": " + message;
        } catch (Throwable another) {
            return name;
        }
    }

    /** The beginning of what is too long to be told. */
    static String cut(String text) {
        return text.length() > MOST ? text.substring(0, MOST) + "..." : text;
    }

    private static String place(Throwable error) {
        try {
            for (StackTraceElement element : error.getStackTrace()) {
                String name = element.getClassName();
                if (name.startsWith("rebalance.")) {
                    break;
                }
                boolean own = element.getModuleName() == null && element.getFileName() != null;
                if (own && element.getLineNumber() > 0) {
                    return " (" + element.getFileName() + ":" + element.getLineNumber() + ")";
                }
            }
        } catch (Throwable another) {
            return "";
        }
        return "";
    }
}
