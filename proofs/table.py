"""A registry that imports each of its objects on first use.

A query about one claim therefore does not import all kinds of claims.
"""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, TypeVar, cast

Row = TypeVar("Row")


def imported(place: str) -> Any:
    """Return the object with the dotted name ``package.module.NAME``."""
    module, _, member = place.rpartition(".")
    return getattr(import_module(module), member)


class Table(MutableMapping[str, Row]):
    """Mapping from names to objects; each object is given as the text ``package.module.NAME``.

    With ``package.module.function:name``, the object is what the function returns for the name. A user-defined object
    is given as the object itself.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._rows: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        """Return the object with this name, importing it on first use.

        Raises ``KeyError`` for a name that is not in the table.
        """
        if name not in self._rows:
            place, called, argument = self._places[name].partition(":")
            found = imported(place)
            self._rows[name] = cast("Row", found(argument) if called else found)
        return self._rows[name]

    def __setitem__(self, name: str, row: Row) -> None:
        """Set the object with this name."""
        self._places.setdefault(name, "")
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        """Remove the name. Raises ``KeyError`` for a name that is not in the table."""
        del self._places[name]
        self._rows.pop(name, None)

    def __contains__(self, name: object) -> bool:
        """Return whether the name is in the table, without importing anything."""
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, in the order of the table."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return the number of names."""
        return len(self._places)
