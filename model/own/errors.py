"""The error for a user's text that names no callable strategy (exit status 2)."""


class StrategyError(Exception):
    """The file, function or class does not exist, or cannot be loaded or called.

    The error's text is one sentence.
    """
