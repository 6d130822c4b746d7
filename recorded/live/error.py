"""The error of ``rebalance record``."""


class LiveError(Exception):
    """Error: a scenario cannot be read or performed.

    The text is a sentence with reason and remedy.
    """
