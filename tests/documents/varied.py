"""Variations of a result: the same records with one value changed."""

import copy
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cached_property
from typing import Any

Path = tuple[str | int, ...]
"""Attributes, indexes and keys that lead to a value."""
DEEPEST = 14
WORD = re.compile(r"[^\W\d][\w.-]*")


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each value that a record contains, with its path; the record itself first."""
    yield path, value
    if len(path) < DEEPEST:
        for name, inner in inside(value):
            yield from places(inner, (*path, name))


def inside(value: Any) -> Iterator[tuple[str | int, Any]]:
    """Yield the values directly in a record, a sequence or a mapping."""
    if is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name, None)) for field in fields(value))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from value._asdict().items()
    elif isinstance(value, tuple | list):
        yield from enumerate(value)
    elif isinstance(value, Mapping):
        yield from zip(_names(value), value.values(), strict=True)


def _names(value: Mapping[Any, Any]) -> list[str | int]:
    """Names of a mapping's values: their keys, or their places if a key is no plain word."""
    plain = all(isinstance(key, str) and WORD.fullmatch(key) for key in value)
    return list(value) if plain else list(range(len(value)))


def at(value: Any, path: Path) -> Any:
    """Return the value at a path. Raises ``LookupError``."""
    for name in path:
        value = dict(inside(value))[name]
    return value


def changed(value: Any, path: Path, new: Any) -> Any:
    """Return a copy with another value at a path."""
    if not path:
        return new
    name, *rest = path
    inner = changed(dict(inside(value))[name], tuple(rest), new)
    if is_dataclass(value) and not isinstance(value, type):
        if next(field for field in fields(value) if field.name == name).init:
            return replace(value, **{str(name): inner})
        return _with(value, str(name), inner)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return value._replace(**{str(name): inner})
    if isinstance(value, Mapping):
        return {key: inner if one == name else value[key] for one, key in zip(_names(value), value, strict=True)}
    return type(value)(inner if number == name else one for number, one in enumerate(value))


def _with(value: Any, name: str, new: Any) -> Any:
    found = copy.copy(value)
    for cached in [one for one in vars(found) if isinstance(getattr(type(value), one, None), cached_property)]:
        del vars(found)[cached]
    object.__setattr__(found, name, new)
    return found


def overridden(value: Any, path: Path, name: str, new: Any) -> Any:
    """Return a copy in which the record at ``path`` computes ``new`` as its property ``name``."""
    record = copy.copy(at(value, path))
    record.__class__ = type(type(record).__name__, (type(record),), {name: new})
    vars(record).pop(name, None)
    return changed(value, path, record)


def computed(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the properties of a record that have a value, and do not raise."""
    if is_dataclass(value) and not isinstance(value, type):
        for name in dir(type(value)):
            if not name.startswith("_") and isinstance(getattr(type(value), name, None), property | cached_property):
                try:
                    yield name, getattr(value, name)
                except Exception:
                    continue


def others(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield other values of the same kind, each with a word for the change."""
    if isinstance(value, bool):
        yield "negated", not value
    elif isinstance(value, Enum):
        yield from ((f"is {other.name}", other) for other in type(value) if other is not value)
    elif isinstance(value, int | float):
        yield from (("plus 1", value + 1), ("minus 1", value - 1), ("is 0", type(value)(0)))
    elif isinstance(value, str):
        yield from (("longer", f"{value}x"), ("empty", ""))
    elif value is None:
        yield from (("is text", "x"), ("is 1", 1), ("is true", True))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        pass
    elif isinstance(value, tuple | list) and value:
        kind = type(value)
        yield from (("empty", kind()), ("without its first", value[1:]), ("without its last", value[:-1]))
        yield from (("twice its last", kind((*value, value[-1]))), ("turned", value[::-1]))
    elif isinstance(value, tuple | list):
        yield from (("has text", type(value)(("x",))), ("has a pair", type(value)((("x", "y"),))))
    elif isinstance(value, set | frozenset) and value:
        yield "empty", type(value)()
    elif isinstance(value, Mapping):
        yield from (("empty", {}), ("has more", {**value, "x": 1}))
        yield "renamed", {f"{key}x" if isinstance(key, str) else key: one for key, one in value.items()}
    if value is not None and not isinstance(value, bool):
        yield "is none", None
