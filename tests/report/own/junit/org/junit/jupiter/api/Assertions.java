package org.junit.jupiter.api;

import java.util.Objects;

/** What a written test uses of JUnit's class of this name. */
public class Assertions {
    public static void assertEquals(int expected, int found) {
        assertEquals(expected, found, "");
    }

    public static void assertEquals(int expected, int found, String message) {
        assertTrue(expected == found, message + " " + found);
    }

    public static void assertEquals(long expected, long found) {
        assertTrue(expected == found, "" + found);
    }

    public static void assertEquals(Object expected, Object found) {
        assertTrue(Objects.equals(expected, found), "" + found);
    }

    public static void assertNotNull(Object found, String message) {
        assertTrue(found != null, message);
    }

    public static void assertTrue(boolean found, String message) {
        if (!found) {
            throw new AssertionError(message);
        }
    }
}
