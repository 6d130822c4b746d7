"""A table whose rows are imported when they are asked for, so that who asks about one claim does not wait for all."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TypeVar, cast

__all__ = ["Table"]

Row = TypeVar("Row")


class Table(Mapping[str, Row]):
    """Names, and where what they stand for is: ``package.module.NAME``."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._rows: dict[str, Row] = {}

    def __getitem__(self, name: str) -> Row:
        """What the name stands for. Raises ``KeyError`` for a name that is not in the table."""
        if name not in self._rows:
            module, _, member = self._places[name].rpartition(".")
            self._rows[name] = cast("Row", getattr(import_module(module), member))
        return self._rows[name]

    def __contains__(self, name: object) -> bool:
        """Whether the name is in the table; nothing is imported."""
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        """The names, in the order of the table."""
        return iter(self._places)

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._places)
