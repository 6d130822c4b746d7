"""Errors for wrong calls or input (exit status 2), and for wrongly declared claims."""

from rebalance_proofs.errors import UsageError as UsageError


class ClaimError(Exception):
    """A claim whose id or sentence contradicts its environment or assumptions.

    The message names the claim. Claims are created when a command starts, so the command ends with status 1.
    """
