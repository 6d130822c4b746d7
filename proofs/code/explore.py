"""Symbolic execution of every path through a client's ``allocate``.

The lists of queues and consumers have unknown length.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.lists import Built, Given, Ids, Own, builtins
from rebalance_proofs.proofs.code.run import Filtered, Run, Segment, Turn, Unsupported
from rebalance_proofs.proofs.code.source import Code

MOST = 64
"""The largest number of paths through a function. Functions with more paths are rejected."""


@dataclass(frozen=True)
class Inputs:
    """The unknowns of mqAll: its length, broker names, and the number of selected queues."""

    queues: str = "q"
    kept: str = ""
    names: tuple[str, ...] = ()
    """The possible broker names; empty if the code reads no broker name."""


@dataclass(frozen=True)
class Path:
    """One path through the code.

    All terms are over c (number of consumers), i (the consumer's index), ``listed``, ``named`` and the unknowns in
    ``Inputs``.
    """

    condition: smt.BoolTerm
    """The condition under which the code takes this path."""
    guards: tuple[smt.BoolTerm, ...]
    """Conditions under which the terms describe the code, in every iteration ``at`` of a loop."""
    kept: tuple[smt.BoolTerm, ...]
    """List of selected queues -> the condition that it contains the queue ``at`` of mqAll.

    The unknown ``kind`` selects the broker name of that queue.
    """
    segments: tuple[Segment | Filtered, ...] = ()
    """The result list, as consecutive segments with terms for the queues' positions."""
    raises: type[Exception] | None = None
    """The exception that the path raises instead of returning a result; None if it raises none."""


def explore(code: Code, inputs: Inputs) -> tuple[Path, ...]:
    """Return all paths through the code.

    At every condition that is not constant, both branches are taken. Raises ``Unsupported`` for code with an
    undefined operation.
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
            raise Unsupported(f"more than {MOST} paths through the code")
    return tuple(found)


def _allocating(code: Code, run: Run, inputs: Inputs) -> Callable[..., Any]:
    return code.compiled(builtins(run, inputs.kept))


def _path(run: Run, allocate: Callable[..., Any], inputs: Inputs) -> Path | Turn:
    """Return the path of the run, or the loop iteration that raised an exception.

    In the latter case the run is repeated without that iteration.
    """
    segments: Sequence[Segment | Filtered] = ()
    raises = None
    try:
        result = allocate(Own(run), Given(run, smt.Int(inputs.queues), inputs.names), Ids(run))
        if not isinstance(result, Built):
            raise Unsupported(f"{getattr(result, 'WHAT', f'a {type(result).__name__}')} as the result")
        if run.loop:
            raise Unsupported("a loop that is left before its end: 'in' with a range")
        segments = result.segments
    except Unsupported:
        raise
    except AllocationError as error:
        if run.loop:
            return run.loop.number, run.loop.answers
        if run.guards:
            raise Unsupported("an exception after a division or an index") from error
        raises = type(error)
    except Exception as error:
        raise Unsupported(f"{type(error).__name__}: {error}") from error
    return Path(run.condition, tuple(run.guards), tuple(run.kept), tuple(segments), raises)
