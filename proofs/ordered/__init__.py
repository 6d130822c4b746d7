"""When two listeners can run on one ordered queue."""
