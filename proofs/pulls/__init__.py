"""Claims about pull requests: their number per process queue, and the process queue affected by an offset repair."""
