"""What can go wrong when results are written."""

from rebalance_proofs.proofs.errors import UsageError


class OutputError(UsageError):
    """The results cannot be written where the user wants them; its text is one clear sentence."""
