"""What is wrong with a recording."""


class RecordingError(Exception):
    """A recording cannot be read; the text is a sentence that says which file, which line, and why."""
