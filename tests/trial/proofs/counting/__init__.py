"""Workers that count."""
