"""Texts about what users paste: tables, response codes and exceptions, from ``pasted/*.toml``."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from rebalance_proofs.language import Text
from rebalance_proofs.recorded.knowledge.schema import loaded, text


def pasted(name: str) -> Mapping[str, Any]:
    """Return the content of the file ``pasted/NAME.toml``."""
    found: Mapping[str, Any] = loaded("pasted")[name]
    return found


class Kind:
    """A kind of observation in a table: a sentence with values, and the causes that produce it."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.name: str = found["name"]
        self.shows = text(found["shows"])
        self.causes: tuple[str, ...] = tuple(found["causes"])


@cache
def kinds() -> dict[str, Kind]:
    """Return all kinds of observations in tables by name."""
    return {one["name"]: Kind(one) for one in pasted("tables")["kind"]}


@cache
def _texts(part: str) -> dict[str, Text]:
    return {one["name"]: text(one) for one in pasted("tables")[part]}


def note(name: str, /, **values: object) -> str:
    """Return a sentence about a table in the language in use."""
    return str(_texts("note")[name]).format(**values)


def word(name: str, /, **values: object) -> str:
    """Return a part of a sentence about a table in the language in use."""
    return str(_texts("word")[name]).format(**values)
