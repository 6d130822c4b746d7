"""The error for a wrong call or wrong input (exit status 2)."""


class UsageError(Exception):
    """A mistake of the caller; the message is one clear sentence for the user."""
