"""Named parts of pinned files, so that a change names its claim, call or recording."""

import gzip
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.pins.pin import Parts

UNINDENTED = r"(\S.*?)(?::? *$|: (.*))"
"""A line at the margin names a part, up to its first colon."""
CALL, HEADING = r"\$ (.*)", r"[$#] (.*)"
KEYS = ("id", "name", "command")
"""Fields that name an object of a list."""


def headed(pattern: str = UNINDENTED, separator: str = "") -> Callable[[bytes], Parts]:
    """Reader of a text whose parts begin with a line that matches ``pattern``.

    The first group is the part's name, a second one its first line. Lines are split at ``separator``.
    """
    heading = re.compile(pattern)

    def parts(content: bytes) -> Parts:
        found: dict[str, list[str]] = {}
        lines: list[str] = []
        for line in content.decode().splitlines():
            if match := heading.fullmatch(line):
                lines = found.setdefault(_unused(match[1], found), [])
                line = match[2] if match.re.groups > 1 else None
            elif not found:
                lines = found.setdefault("(beginning)", [])
            if line is not None:
                lines += line.split(separator) if separator else [line]
        return found

    return parts


def _unused(name: str, found: Mapping[str, Any]) -> str:
    number = 2
    while name in found:
        name, number = f"{name.removesuffix(f' ({number - 1})')} ({number})", number + 1
    return name


def of_json(depth: int) -> Callable[[bytes], Parts]:
    """Reader of JSON whose parts are ``depth`` objects or named list elements deep."""

    def parts(content: bytes) -> Parts:
        return dict(_named(json.loads(content or b"{}"), depth, ()))

    return parts


def of_packed(content: bytes) -> Parts:
    """Parts of the recorded models: one for each subject, with a line for each model."""
    models = json.loads(gzip.decompress(content)) if content else {}
    return {
        subject: [", ".join(f"{name} = {value}" for name, value in zip(*model, strict=True)) for model in of]
        for subject, of in models.items()
    }


def by_claim(content: bytes) -> Parts:
    """Parts of a table from lists of names to claims: each claim with its names."""
    return {claim: names.split(", ") for names, claims in json.loads(content or b"{}").items() for claim in claims}


def _named(value: Any, depth: int, names: tuple[str, ...]) -> Iterator[tuple[str, Sequence[str]]]:
    inner = list(_items(value)) if depth else []
    if inner:
        for name, each in inner:
            yield from _named(each, depth - 1, (*names, name))
    else:
        yield " / ".join(names) or "(all)", list(_flat(value, ""))


def _items(value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list) and value and all(isinstance(each, dict) and _key(each) for each in value):
        return ((str(each[_key(each)]), each) for each in value)
    return ()


def _key(value: Mapping[str, Any]) -> str:
    return next((key for key in KEYS if key in value), "")


def _flat(value: Any, path: str) -> Iterator[str]:
    """Yield a line for each scalar, with the path to it; a list of scalars is one line."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from _flat(each, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        for number, each in enumerate(value):
            yield from _flat(each, f"{path}[{number}]")
    else:
        said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield f"{path}: {said}" if path else said
