"""Claims about offsets: skipped messages, redelivered messages, and offset rollbacks."""
