"""Problems in a recorded run: redelivered or lost messages, overlapping listeners, pauses, offset rollbacks."""
