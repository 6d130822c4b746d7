"""The error of a recorder."""


class LiveError(Exception):
    """A scenario cannot be read or performed; the text is a sentence that says why, and what to do."""
