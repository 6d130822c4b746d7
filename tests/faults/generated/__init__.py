"""Generated faults: small changes of the checker's own source, one at a time."""
