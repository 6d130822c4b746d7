package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What a written test uses of JUnit's annotation of this name. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {
}
