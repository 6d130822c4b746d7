"""The files behind a claim: where what it says is written down, and the code and the terms that it is about."""

import inspect
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

from proofs.claim import Claim

ROOT = Path(__file__).resolve().parent.parent


def behind(claim: Claim) -> dict[str, list[str]]:
    """File, as a path from where the packages lie -> what of the claim stands in it, in the order of reading."""
    found: dict[str, list[str]] = {}
    for what, part in _parts(claim):
        for file in _files(part):
            said = found.setdefault(file, [])
            if what not in said:
                said.append(what)
    return found


def _parts(claim: Claim) -> Iterator[tuple[str, Any]]:
    yield "the guarantee", claim.guarantee
    for step in claim.obligations:
        yield "its obligations", step.state
    for subject in claim.strategies:
        yield "the code", getattr(subject, "allocate", None) or subject.driver
        yield "the terms", subject.encoding
    yield "who is in the group, and what they see", claim.premise


def _files(part: Any) -> Iterator[str]:
    """Of a function its file, and those of what it was made from; of what is put together those of its parts."""
    if isinstance(part, partial):
        for inner in (part.func, *part.args):
            yield from _files(inner)
    elif inspect.isfunction(part):
        yield from _file(inspect.unwrap(part))
        for inner in inspect.getclosurevars(part).nonlocals.values():
            if inspect.isfunction(inner):
                yield from _files(inner)
    elif inspect.isclass(part):
        yield from _file(part)
    elif hasattr(part, "__dataclass_fields__"):
        for known in fields(part):
            inner = getattr(part, known.name)
            if inspect.isfunction(inner) and inner is not known.default:
                yield from _files(inner)


def _file(part: Any) -> Iterator[str]:
    file = Path(inspect.getfile(part))
    if file.is_relative_to(ROOT):
        yield file.relative_to(ROOT).as_posix()
