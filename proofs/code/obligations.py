"""Obligations that a strategy's code computes what its encoding describes.

All paths of the code are run, and each gives the encoding's result. The statements are rebuilt from the code on every
request, so that claims contain no terms.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.allocation.strategy import Encoding
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.allocation.listing import LISTING
from rebalance_proofs.proofs.code import parts
from rebalance_proofs.proofs.code.met import met
from rebalance_proofs.proofs.code.statements import Taken
from rebalance_proofs.proofs.code.subject import Subject, listed, paths, premises
from rebalance_proofs.proofs.code.whole import whole
from rebalance_proofs.proofs.obligation import Obligation, Statement

Then = Callable[[Any, Taken], smt.BoolTerm]
Given = Callable[[Any, Taken], Mapping[str, smt.BoolTerm]]


def obligations(subject: Subject, encoding: Encoding) -> tuple[Obligation, ...]:
    """Return all obligations about the strategy's code.

    The correct ``encoding`` is used only to find statements that would be vacuous. Raises ``Unsupported`` for code
    that cannot be analysed.
    """
    own = [step for number in listed(subject) for step in _Path(subject, encoding, number).steps()]
    return (*whole(subject), *own, *(() if subject.rooms else LISTING))


def step(subject: Subject, number: int, layers: int, given: Given, then: Then, e: Any, v: SimpleNamespace) -> Statement:
    """Return one statement about a path, with ``layers`` additional layers of assumptions.

    ``given`` and ``then`` build its own assumptions and conclusion. The layers are the path's condition and these
    assumptions. If fewer layers are used, because all together are unsatisfiable, the statement concludes that the
    next layer is false.
    """
    taken = Taken(paths(subject)[number], v)
    found: list[Mapping[str, smt.BoolTerm]] = [{f"on path {number + 1}": taken.condition}, given(e, taken)]
    assumed: Mapping[str, smt.BoolTerm] = premises(subject, v)
    for layer in found[:layers]:
        assumed = {**assumed, **layer}
    if layers < len(found):
        return Statement(assumed, smt.Not(smt.And(*found[layers].values())))
    return Statement(assumed, then(e, taken))


@dataclass(frozen=True)
class _Path:
    """The obligations about one path through the code."""

    subject: Subject
    encoding: Encoding
    number: int

    def steps(self) -> Iterator[Obligation]:
        """Yield the obligations about the path, in the order of the proof."""
        path = paths(self.subject)[self.number]
        if path.guards:
            yield self._step(
                "inside",
                "No index is outside its list, no divisor is 0, and no loop raises.",
                ("at",),
                parts.always,
                parts.inside,
            )
        if Taken(path, SimpleNamespace()).filtered:
            yield self._step(
                "element", "The code appends the k-th element of the encoding.", ("k",), parts.counted, parts.passed
            )
            yield self._step(
                "order", "The code appends the k-th element before the next one.", ("k",), parts.counted, parts.ordered
            )
            yield self._step(
                "length",
                "Every element that the code appends is in the encoding's list.",
                ("at",),
                parts.passing,
                parts.ranked,
            )
            return
        kept = self.subject.reads
        yield self._step(
            "length", "The result has the same length as the encoding's list.", (), parts.always, parts.as_long
        )
        yield self._step(
            "element",
            "The k-th element equals the encoding's k-th element.",
            ("k",),
            parts.within,
            partial(parts.same, kept),
        )
        if self.subject.rooms:
            yield self._step(
                "taken",
                "The encoding takes each element of the result.",
                ("k", "p", "kept", "r"),
                parts.ranks,
                parts.all_taken,
            )
            yield self._step(
                "only",
                "The result contains every element that the encoding takes.",
                ("p", "kept", "r"),
                parts.taken_by_encoding,
                parts.there,
            )

    def _step(self, part: str, sentence: str, names: tuple[str, ...], given: Given, then: Then) -> Obligation:
        variables = (*self.subject.unknowns, *names)
        for layers in (2, 1, 0):
            state = partial(step, self.subject, self.number, layers, given, then)
            if met(variables, smt.And(*Obligation("", "", variables, state).statement(self.encoding).given.values())):
                break
        name = f"path-{self.number + 1}.{part}"
        said = (f"No consumer is on path {self.number + 1}.", "This path has no such element.")
        return Obligation(
            name, (*said, f"On path {self.number + 1}: {sentence}")[layers], variables, state, goals=_none
        )


def _none(v: SimpleNamespace, bound: int) -> tuple[()]:
    """Return no cases for the vacuity check: the condition of a path limits its values.

    The obligation ``paths`` shows that no path is missing.
    """
    return ()
