"""The error of ``rebalance record``."""


class LiveError(Exception):
    """A scenario cannot be read or performed; the text is a sentence with the reason and a remedy."""
