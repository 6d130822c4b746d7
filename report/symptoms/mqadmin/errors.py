"""Errors in files with output of ``mqadmin``."""


class NotReadable(ValueError):
    """The file is not output of mqadmin, or is damaged. The message names the place."""
