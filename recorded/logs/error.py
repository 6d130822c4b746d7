"""Errors in what is to be read."""

__all__ = ["NotThere"]


class NotThere(ValueError):
    """A path names nothing that can be read; the message says which."""
