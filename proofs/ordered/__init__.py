"""Claims about ordered consumption: when two listeners can run on one queue."""
