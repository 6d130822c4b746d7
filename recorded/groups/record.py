"""Convert JSON objects to frozen dataclasses.

The type of each field defines the allowed values.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from keyword import iskeyword
from types import NoneType, UnionType
from typing import Annotated, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rebalance_proofs.recorded.rows import quoted

# Error for a recording that cannot be read.


class RecordingError(Exception):
    """Error: a recording cannot be read; the text is a sentence with file, line and reason."""


Value = None | bool | int | float | str | list["Value"] | dict[str, "Value"]
"""A JSON value."""
Read = Callable[[Value, str], object]
"""Function ``read(found, what)``: a JSON value -> the field's value.

``what`` names the field in the text of a ``ValueError``.
"""
R = TypeVar("R")

TOO_DEEP = "nested too deeply"
AS_TEXT = "a number, written as a text"
DIGITS = re.compile("-?[0-9]+")
Number = Annotated[int, AS_TEXT]
"""Annotation of a field with a number that RocketMQ's headers contain as text."""

SCALARS: dict[object, tuple[tuple[type, ...], str]] = {
    bool: ((bool,), "neither true nor false"),
    int: ((int,), "not a number"),
    float: ((int, float), "not a number"),
    str: ((str,), "not a text"),
    NoneType: ((NoneType,), "not null"),
}


class UnknownKey(ValueError):
    """Error: an object has a key that its dataclass does not define."""

    def __init__(self, of: str, key: str, found: dict[str, Value]) -> None:
        super().__init__(f"{of} has {quoted(key)}, which is not known")
        self.of, self.key, self.found = of, key, found


def as_record(kind: type[R], found: dict[str, Value], what: str, **known: object) -> R:
    """Return a dataclass ``kind`` with values from a JSON object, and with the fields ``known``.

    A key is a field's name in camel case; ``what`` names the object in errors. Raises ``ValueError`` for a missing
    field without a default, for a value of another type, and, as ``UnknownKey``, for a key that is not a field.
    """
    make: Callable[..., R] = kind
    of: type = kind  # parameters of cached functions must not have type variables
    readers, required = _fields(of)
    for key, value in found.items():
        reader = readers[key]
        if reader is None or reader[0] in known:
            raise UnknownKey(what, key, found)
        name, plain, read = reader
        known[name] = value if type(value) in plain else read(value, f'"{key}" of {what}')
    if not required <= known.keys():
        raise ValueError(f"{what} has no {min(required - known.keys())}")
    return make(**known)


@cache
def attribute(key: str) -> str:
    """Return the field's name for a key: ``mqAll`` is ``mq_all``, and ``from`` is ``from_``."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).lower()
    return f"{name}_" if iskeyword(name) else name


Reader = tuple[str, frozenset[object], Read]
"""A field's name, the types of values that need no reading, and the function that reads others."""


class _Readers(dict[str, Reader | None]):
    """JSON key -> how to read the field, looked up by ``attribute`` once; None for a key that is not a field."""

    def __init__(self, fields: Mapping[str, Reader]) -> None:
        super().__init__()
        self._fields = fields

    def __missing__(self, key: str) -> Reader | None:
        self[key] = found = self._fields.get(attribute(key))
        return found


@cache
def _fields(kind: type) -> tuple[_Readers, frozenset[str]]:
    """Return how to read each key of an object, and the names of required fields."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is not a record")
    hints = get_type_hints(kind, include_extras=True)
    required = {each.name for each in fields(kind) if each.default is MISSING and each.default_factory is MISSING}
    readers = {each.name: (each.name, _plain(hints[each.name]), _reader(hints[each.name])) for each in fields(kind)}
    return _Readers(readers), frozenset(required)


def _plain(hint: object) -> frozenset[object]:
    """Return the types of JSON values that are the field's value as they are.

    Recordings have millions of them, and the text for an error is not needed then.
    """
    if hint in SCALARS:
        return frozenset(SCALARS[hint][0])
    if get_origin(hint) in (UnionType, Union):
        choices = get_args(hint)
        plain = frozenset[object]().union(*map(_plain, choices))
        return plain if all(choice in SCALARS for choice in choices) else plain & {NoneType}
    return frozenset()


def _reader(hint: object) -> Read:
    """Return a function that reads values of an annotated type.

    Raises ``TypeError`` for a type that no recording has.
    """
    if hint in SCALARS:
        return _scalar(*SCALARS[hint])
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated and AS_TEXT in arguments:
        return _number
    if origin is Literal:
        return _one_of(arguments)
    if origin in (UnionType, Union):
        return _either([_reader(choice) for choice in arguments])
    if origin is tuple and arguments[1:] == (...,):
        return _items(_reader(arguments[0]))
    if origin is Mapping and arguments[0] is str:
        return _members(_reader(arguments[1]))
    if isinstance(hint, type) and is_dataclass(hint):
        return _nested(hint)
    raise TypeError(f"no recording has values of {hint}")


def _scalar(kinds: tuple[type, ...], why: str) -> Read:
    def read(found: Value, what: str) -> object:
        if type(found) not in kinds:  # true is an int to isinstance
            raise ValueError(f"{what} is {quoted(found)}, {why}")
        return found

    return read


def _one_of(texts: tuple[str, ...]) -> Read:
    def read(found: Value, what: str) -> object:
        if found not in texts:
            raise ValueError(f"{what} is {quoted(found)}, not one of {', '.join(texts)}")
        return found

    return read


def _number(found: Value, what: str) -> object:
    if not isinstance(found, str) or not DIGITS.fullmatch(found):
        raise ValueError(f"{what} is {quoted(found)}, not {AS_TEXT}")
    return int(found)


def _either(readers: list[Read]) -> Read:
    def read(found: Value, what: str) -> object:
        problem = ValueError(what)
        for choice in readers:
            try:
                return choice(found, what)
            except UnknownKey:
                raise
            except ValueError as error:
                problem = error if problem.args == (what,) else problem
        raise problem

    return read


def _items(read_item: Read) -> Read:
    def read(found: Value, what: str) -> object:
        if not isinstance(found, list):
            raise ValueError(f"{what} is {quoted(found)}, not a list")
        return tuple(read_item(item, f"an item of {what}") for item in found)

    return read


def _members(read_member: Read) -> Read:
    def read(found: Value, what: str) -> object:
        if not isinstance(found, dict):
            raise ValueError(f"{what} is {quoted(found)}, not an object")
        return {key: read_member(value, f'"{key}" of {what}') for key, value in found.items()}

    return read


def _nested(kind: type) -> Read:
    def read(found: Value, what: str) -> object:
        if not isinstance(found, dict):
            raise ValueError(f"{what} is {quoted(found)}, not an object")
        return as_record(kind, found, what)

    return read


def parsed(text: str) -> dict[str, Value]:
    """Return the JSON object in the text.

    Raises ``ValueError`` for anything else, or if an object has a key twice.
    """
    try:
        found, end = DECODER.raw_decode(text)
    except json.JSONDecodeError:
        end = -1
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    if end != len(text):
        found = _decoded(text)
    if not isinstance(found, dict):
        raise ValueError(f"{quoted(found)} is not an object")
    return found


def _decoded(text: str) -> Value:
    """Parse a text as the library does, which skips blanks around it; ``raw_decode`` is faster."""
    try:
        found: Value = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from error
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    return found


def _distinct(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("an object contains the same key twice")
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_distinct)
