"""Check consumers' offsets: entries, selected messages, and what is committed."""
