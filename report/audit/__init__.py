"""The audit of logs as people and tools read it."""
