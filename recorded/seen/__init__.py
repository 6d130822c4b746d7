"""Find problems in a recorded run.

Problems are redelivered or lost messages, overlapping listeners, pauses and offset rollbacks.
"""
