"""The error that means: the call or its input was wrong (exit status 2)."""


class UsageError(Exception):
    """Its text is one clear sentence for the user."""
