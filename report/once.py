"""Store texts that many keys share only once, to keep generated files small."""

from collections.abc import Mapping


class Once:
    """Table of different texts, with the index of each key's text.

    Made from a mapping of keys to texts.
    """

    def __init__(self, of: Mapping[str, str]) -> None:
        self.texts = tuple(dict.fromkeys(of.values()))
        """The different texts, in the order of their first appearance."""
        places = {text: place for place, text in enumerate(self.texts)}
        self._numbers = {name: places[text] for name, text in of.items()}

    def number(self, name: str) -> int:
        """Return the index in ``texts`` of a key's text. Raises ``KeyError`` for an unknown key."""
        return self._numbers[name]
