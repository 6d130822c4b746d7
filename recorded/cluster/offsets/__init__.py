"""Check recorded consumers' offsets: process queues, selected messages, and commits."""
