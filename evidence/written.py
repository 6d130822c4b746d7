"""Recorded results as they are kept in a file: one value a line, keys in order; a difference shows what changed."""

import json


def written(documents: object) -> str:
    """The file's content."""
    return json.dumps(documents, indent=1, sort_keys=True) + "\n"
