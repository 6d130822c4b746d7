"""File format of recorded results: JSON with one value per line, and keys in order.

Differences between versions are therefore readable.
"""

import json


def written(documents: object) -> str:
    """Return the documents as text in this format."""
    return json.dumps(documents, indent=1, sort_keys=True) + "\n"
