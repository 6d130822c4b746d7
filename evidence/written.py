"""File format of recorded results: one value per line, with keys in order.

Differences are therefore readable.
"""

import json


def written(documents: object) -> str:
    """Return the file's content."""
    return json.dumps(documents, indent=1, sort_keys=True) + "\n"
