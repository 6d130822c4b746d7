"""JSON format of all commands."""

import json


def encoded(document: object) -> str:
    """Return the document as indented JSON in ASCII, which every terminal and pipe accepts."""
    return json.dumps(document, indent=2)
