"""The error for a name of the user's that is no strategy that can be called (exit status 2)."""


class StrategyError(Exception):
    """No such file, function or class, or one that cannot be loaded or called. Its text is one clear sentence."""
