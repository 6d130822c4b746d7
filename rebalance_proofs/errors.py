"""The error of a wrong call or wrong input. Every package may import this module."""


class UsageError(Exception):
    """A wrong call or wrong input by the user.

    The message is one sentence for the user: the input, and the remedy. Commands print it, with exit status 2.
    """
