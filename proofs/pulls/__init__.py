"""Claims about pull requests: their number per process queue, and repaired offsets."""
