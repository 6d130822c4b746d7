"""Claims about offsets: what is skipped, what is consumed twice, what a commit can undo."""
