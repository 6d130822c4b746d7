"""Errors in files with output of ``mqadmin``."""

__all__ = ["NotReadable"]


class NotReadable(ValueError):
    """The file is not output of mqadmin, or is damaged. The message names the place."""
