"""Recorded results in the form of their file: one value per line, keys in order, so that differences are readable."""

import json


def written(documents: object) -> str:
    """Return the file's content."""
    return json.dumps(documents, indent=1, sort_keys=True) + "\n"
