"""Words as a shell hands them to a process, whatever the locale."""

import os


def typed(text: str) -> str:
    """Return the text as Python decodes it from a command line or a folder; the C locale makes other text of it."""
    return os.fsdecode(text.encode("utf-8"))
