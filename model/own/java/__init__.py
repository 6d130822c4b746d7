"""Strategies written in Java: a JVM of their own, and what goes through its pipes."""
