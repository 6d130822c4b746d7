"""The error for results that cannot be written."""

from rebalance_proofs.proofs.errors import UsageError


class OutputError(UsageError):
    """Results cannot be written to the place that the user named.

    The message is one sentence for the user.
    """
