"""Claims about workers that count."""
