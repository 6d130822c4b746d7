"""Texts that many things share, each written once."""

from collections.abc import Mapping

__all__ = ["Once"]


class Once:
    """Which text each thing has, by number."""

    def __init__(self, of: Mapping[str, str]) -> None:
        self.texts = tuple(dict.fromkeys(of.values()))
        """Each once, in the order of its first appearance."""
        places = {text: place for place, text in enumerate(self.texts)}
        self._numbers = {name: places[text] for name, text in of.items()}

    def number(self, name: str) -> int:
        """Where in ``texts`` the thing's is. Raises ``KeyError`` for a thing that has none."""
        return self._numbers[name]
