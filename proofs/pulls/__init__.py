"""Claims about pull requests: their number per process queue, and offsets that are repaired."""
