"""Output of commands and functions for small cases, word by word; the expected texts are in ``tests/pins``."""
