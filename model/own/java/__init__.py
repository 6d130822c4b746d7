"""Strategies written in Java: a JVM of their own, and the protocol of its pipes."""
