package rebalance;

/** A description of an exception. Its methods can be the strategy's own, and do anything. */
final class Thrown {
    private static final int MOST = 400;

    private Thrown() {
    }

    /** The exception's class, its message, and where it was thrown. */
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

    /** The text, cut if it is too long. */
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
