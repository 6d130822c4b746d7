"""Errors of writing results."""

from rebalance_proofs.proofs.errors import UsageError


class OutputError(UsageError):
    """Results cannot be written where the user wants them; the message is one clear sentence."""
