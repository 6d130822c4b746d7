"""Errors: a wrong call or wrong input (exit status 2), and a wrong claim."""


class UsageError(Exception):
    """An error of the caller, such as a wrong option.

    The message is one clear sentence for the user.
    """


class ClaimError(Exception):
    """A claim whose id or sentence contradicts its world. The message names the claim.

    Claims are created when the command starts; on this error it ends with status 1.
    """
