"""Table of texts that many things share, each stored once."""

from collections.abc import Mapping

__all__ = ["Once"]


class Once:
    """Assigns the number of its text to each thing."""

    def __init__(self, of: Mapping[str, str]) -> None:
        self.texts = tuple(dict.fromkeys(of.values()))
        """The different texts, in the order of their first appearance."""
        places = {text: place for place, text in enumerate(self.texts)}
        self._numbers = {name: places[text] for name, text in of.items()}

    def number(self, name: str) -> int:
        """Index in ``texts`` of the thing's text. Raises ``KeyError`` for an unknown thing."""
        return self._numbers[name]
