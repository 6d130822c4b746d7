"""List this project's source files that define a claim: guarantee, proof obligations, client code, formulas."""

import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.kinds import shown

ROOT = Path(__file__).resolve().parent.parent


def behind(claim: Claim) -> dict[str, list[str]]:
    """Return source file -> the parts of the claim that it defines, in reading order.

    Paths are relative to the project's folder. Code and formulas of each client or strategy are always listed.
    """
    found: dict[str, list[str]] = {}
    for what, part in _parts(claim):
        for file in _files(part, {*map(id, claim.subjects)}):
            said = found.setdefault(file, [])
            if what not in said:
                said.append(what)
    return found


def _parts(claim: Claim) -> Iterator[tuple[str, Any]]:
    yield "the guarantee", (claim.guarantee.violated, claim.guarantee.violation)
    yield "its obligations", tuple(step.state for step in claim.obligations)
    for subject in claim.subjects:
        yield "the code", shown(claim).code(subject)
        yield "the terms", subject.encoding
    kind = type(claim.world)
    yield f"the {kind.__name__.lower()}", claim.world if any(_files(claim.world, set())) else kind


def _files(part: Any, seen: set[int]) -> Iterator[str]:
    """Yield the source files of a function, class or composed object, and of its parts."""
    if id(part) in seen:
        return
    seen.add(id(part))
    inner: Iterable[Any] = ()
    if isinstance(part, partial):
        inner = (part.func, *part.args, *part.keywords.values())
    elif inspect.ismethod(part):
        inner = (part.__self__, part.__func__)
    elif inspect.isfunction(part):
        yield from _file(inspect.unwrap(part))
        inner = _enclosed(part)
    elif inspect.isclass(part):
        for base in part.__mro__:
            yield from _file(base)
    elif isinstance(part, tuple):
        inner = part
    elif is_dataclass(part):
        inner = [getattr(part, known.name) for known in fields(part) if getattr(part, known.name) is not known.default]
    for one in inner:
        yield from _files(one, seen)


def _enclosed(function: FunctionType) -> Iterator[Any]:
    """Yield the values of a function's closure variables, which can define a part of the claim."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # the variable has no value yet
            yield cell.cell_contents


def _file(part: Any) -> Iterator[str]:
    with suppress(TypeError):  # built-in objects have no file
        yield from _ours(inspect.getfile(part))


@cache
def _ours(file: str) -> tuple[str, ...]:
    """Return the path relative to the project's folder; empty for a file outside it."""
    place = Path(file).resolve()  # packages are imported through symbolic links
    return (place.relative_to(ROOT).as_posix(),) if place.is_relative_to(ROOT) else ()
