"""Errors for wrong calls or input (exit status 2), and for wrongly declared claims."""


class UsageError(Exception):
    """A wrong call or wrong input by the user.

    The message is one sentence for the user: the input, and the remedy.
    """


class ClaimError(Exception):
    """A claim whose id or sentence contradicts its environment or assumptions.

    The message names the claim. Claims are created when a command starts, so the command ends with status 1.
    """
