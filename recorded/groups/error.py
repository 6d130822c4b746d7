"""Error for a recording that cannot be read."""


class RecordingError(Exception):
    """Error: a recording cannot be read; the text is a sentence with file, line and reason."""
