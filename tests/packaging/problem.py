"""The error of a check that fails."""


class Problem(Exception):
    """What is wrong with the release, in one sentence."""
