"""The code of a strategy, its symbolic inputs, and the paths through it."""

from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.code.explore import Inputs, Path, explore
from rebalance_proofs.proofs.code.source import Code
from rebalance_proofs.proofs.obligation import consumer


@dataclass(frozen=True)
class Subject:
    """The code of one strategy, and its symbolic inputs."""

    code: Code
    inputs: Inputs
    reads: bool | None = False
    """The list that the result refers to: selected queues (True), mqAll (False), or both (None)."""

    @property
    def rooms(self) -> bool:
        """Return whether the code first selects some of mqAll's queues and divides only these.

        MACHINE_ROOM strategies do.
        """
        return bool(self.inputs.kept)

    @property
    def unknowns(self) -> tuple[str, ...]:
        """Return the names of the unknowns in a path's condition, without ``listed``."""
        return ("q", "c", "i", *(("m",) if self.rooms else ()))


@cache
def paths(subject: Subject) -> tuple[Path, ...]:
    """Return all paths through the code.

    Raises ``Unsupported`` for code that cannot be analysed.
    """
    return explore(subject.code, subject.inputs)


def listed(subject: Subject) -> tuple[int, ...]:
    """Return the indexes of the paths that compute the result of a consumer in cidAll."""
    absent = smt.Not(smt.Int("listed") == 1)
    return tuple(
        number
        for number, path in enumerate(paths(subject))
        if not path.raises and not any(absent is literal for literal in path.condition.children)
    )


def premises(subject: Subject, v: SimpleNamespace) -> dict[str, smt.BoolTerm]:
    """Return the assumptions that queues and consumers exist, and that i is a consumer.

    If the code selects queues first, q of m queues are selected.
    """
    found = {"at least one consumer": v.c >= 1} | consumer(v, "i")
    if subject.rooms:
        return {"at least one queue": v.m >= 1, "q of them are selected": smt.And(0 <= v.q, v.q <= v.m)} | found
    return {"at least one queue": v.q >= 1} | found
