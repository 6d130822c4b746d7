"""Least and greatest values of numbers, for the options of commands and the arguments of the public functions."""

JOBS = (1, 256)
"""Cores or processes."""
LIMIT, SECONDS, TIMEOUT = (0.01, 3_600), (0, 86_400), (0.001, 86_400)
"""Seconds for a call of a user-defined strategy, for its whole check, and for a query of a solver."""
MEMORY_MB = (16, 2**20)
SEED = (0, 2**32 - 1)
STEPS = (1, 6)
"""Steps of a sequence that a gRPC client is compared in."""
