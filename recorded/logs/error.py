"""Error about paths that cannot be read."""


class NotThere(ValueError):
    """No readable file has this path; the message contains the path."""
