"""A generator of faults: small changes of the checker's own source, of which nobody thought before, one at a time."""
