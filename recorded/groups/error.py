"""The error for a recording that cannot be read."""


class RecordingError(Exception):
    """A recording cannot be read; the text is a sentence that says which file, which line, and why."""
