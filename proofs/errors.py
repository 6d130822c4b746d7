"""Errors: a wrong call or wrong input (exit status 2), and a wrong claim."""


class UsageError(Exception):
    """A mistake of the caller; the message is one clear sentence for the user."""


class ClaimError(Exception):
    """A claim that says something else than what is asked about it; the message names it.

    Claims are made when the command starts: it ends with status 1.
    """
