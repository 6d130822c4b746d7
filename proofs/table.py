"""A table whose rows are imported when they are asked for, so that who asks about one claim does not wait for all."""

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import TypeVar, cast

__all__ = ["Table"]

Row = TypeVar("Row")


class Table(MutableMapping[str, Row]):
    """Names, and where what they stand for is: ``package.module.NAME``. A kind of one's own is put in as it is."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._rows: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        """What the name stands for. Raises ``KeyError`` for a name that is not in the table."""
        if name not in self._rows:
            module, _, member = self._places[name].rpartition(".")
            self._rows[name] = cast("Row", getattr(import_module(module), member))
        return self._rows[name]

    def __setitem__(self, name: str, row: Row) -> None:
        """Let the name stand for something else."""
        self._places.setdefault(name, "")
        self._rows[name] = row

    def __delitem__(self, name: str) -> None:
        """Take the name out. Raises ``KeyError`` for a name that is not in the table."""
        del self._places[name]
        self._rows.pop(name, None)

    def __contains__(self, name: object) -> bool:
        """Whether the name is in the table; nothing is imported."""
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of the table."""
        return iter(self._places)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._places)
