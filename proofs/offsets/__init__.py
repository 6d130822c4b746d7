"""Claims about offsets: skipped messages, messages consumed twice, and offsets rolled back by a commit."""
