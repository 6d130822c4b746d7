"""Every way through a client's ``allocate``, run on lists of unknown length."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from rebalance_proofs.model.allocation.check import AllocationError
from rebalance_proofs.proofs.code.builtins_ import builtins
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.lists import Built, Given, Ids, Own
from rebalance_proofs.proofs.code.run import Run, Turn
from rebalance_proofs.proofs.code.segments import Filtered, Segment
from rebalance_proofs.proofs.code.source import Code

__all__ = ["Inputs", "Path", "explore"]

MOST = 64
"""Ways through a function; one with more is not what this is for."""


@dataclass(frozen=True)
class Inputs:
    """What is unknown of mqAll: its length, and of those that are kept if some are, and how brokers are called."""

    queues: str = "q"
    kept: str = ""
    names: tuple[str, ...] = ()
    """Empty where no broker's name is looked at."""


@dataclass(frozen=True)
class Path:
    """One way through the code.

    All terms are over c, i (the index), ``listed``, ``named`` and what ``Inputs`` names.
    """

    condition: z3.BoolRef
    """When the code goes this way."""
    guards: tuple[z3.BoolRef, ...]
    """What has to hold then for the terms to say what the code does, for every turn ``at`` of its loops."""
    kept: tuple[z3.BoolRef, ...]
    """What the list of kept queues has in it, for any queue ``at`` of mqAll, whose broker is of the kind ``kind``."""
    segments: tuple[Segment | Filtered, ...] = ()
    """The result, end to end."""
    raises: type[Exception] | None = None
    """What is thrown instead."""


def explore(code: Code, inputs: Inputs) -> tuple[Path, ...]:
    """All of them: at every condition that does not decide itself, both ways are gone.

    Raises ``Unsupported`` for code that does what has no meaning here.
    """
    found: list[Path] = []
    waiting: list[tuple[tuple[bool, ...], frozenset[Turn]]] = [((), frozenset())]
    while waiting:
        prescribed, skipped = waiting.pop()
        run = Run(prescribed, skipped)
        path = _path(run, _allocating(code, run, inputs), inputs)
        if not isinstance(path, Path):
            waiting.append((prescribed, skipped | {path}))
            continue
        found.append(path)
        waiting += [(others, frozenset()) for others in run.turning.others]
        if len(found) + len(waiting) > MOST:
            raise Unsupported(f"more than {MOST} ways through the code")
    return tuple(found)


def _allocating(code: Code, run: Run, inputs: Inputs) -> Callable[..., Any]:
    return code.compiled(builtins(run, inputs.kept))


def _path(run: Run, allocate: Callable[..., Any], inputs: Inputs) -> Path | Turn:
    """A turn of a loop where one raises: then all is run again without it."""
    segments: Sequence[Segment | Filtered] = ()
    raises = None
    try:
        result = allocate(Own(run), Given(run, z3.Int(inputs.queues), inputs.names), Ids(run))
        if not isinstance(result, Built):
            raise Unsupported(f"a result of type {type(result).__name__}")
        if run.loop:
            raise Unsupported("a loop that is left before its end: 'in' with a range")
        segments = result.segments
    except Unsupported:
        raise
    except AllocationError as error:
        if run.loop:
            return run.loop.number, run.loop.answers
        if run.guards:
            raise Unsupported("an exception behind a division or an index") from error
        raises = type(error)
    except Exception as error:
        raise Unsupported(f"{type(error).__name__}: {error}") from error
    return Path(run.condition, tuple(run.guards), tuple(run.kept), tuple(segments), raises)
