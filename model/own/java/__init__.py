"""Strategies written in Java: a separate JVM, and the protocol of its pipes."""
