"""JSON as commands write it: in one way."""

import json


def encoded(document: object) -> str:
    """The document's text, in lines that people can read, and in ASCII, which every terminal and pipe can take."""
    return json.dumps(document, indent=2)
