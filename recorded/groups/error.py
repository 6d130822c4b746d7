"""Error for a recording that cannot be read."""


class RecordingError(Exception):
    """A recording cannot be read; the text is a sentence with the file, the line, and the reason."""
