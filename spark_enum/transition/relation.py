"""Comparison of all solver models of the formulas for one queue with the client code.

It shows that the formulas have exactly one result for each case. It runs without Spark.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import SimpleNamespace
from typing import ClassVar

import numpy as np

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.step import Thrown
from rebalance_proofs.proofs.smt.text import Assertion, render
from rebalance_proofs.proofs.solvers.z3_ import solutions
from rebalance_proofs.proofs.transition.scenario import THROWN_NAMES
from rebalance_proofs.spark_enum.check import Keep, digest_of
from rebalance_proofs.spark_enum.results import Totals, Wrong
from rebalance_proofs.spark_enum.transition.columns import (
    OTHERS,
    Layout,
    asks_again,
    became_words,
    case_words,
    effects_words,
    returned_words,
    step_terms,
)
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory, Seen, seen_by_code, seen_by_terms
from rebalance_proofs.spark_enum.transition.space import FIXED, LETTER, MODELS, NAMES, Cases, of_mode

LETTERS = 32
"""Number of cases (letters) in one query to the solver."""

MORE = 4
"""The search stops at this multiple of the expected number of models, as it might never end."""

TRACE = "trace"
"""Solver variable with one bit for every boolean column."""

LIMIT = 20.0
"""Time limit of the solver for one answer, in seconds; an answer normally takes a millisecond."""

Values = dict[str, int]


@dataclass(frozen=True)
class Relation(Cases):
    """The formulas for the cases of one client and mode, whose models the solver enumerates.

    A model assigns values to the case, the exceptions of other queues, and the result.
    """

    client: Client
    mode: Mode
    letters: tuple[int, ...]
    """The representative cases of a queue, as codes of ``space.of_mode``."""

    kind: ClassVar[str] = MODELS
    queues: int = field(default=1, init=False)

    @property
    def codes(self) -> int:
        """Number of representative cases (letters)."""
        return len(self.letters)

    @property
    def step(self) -> int:
        """Number of cases (letters) in one query."""
        return LETTERS

    @cached_property
    def size(self) -> int:
        """Expected number of models: one for each case and each kind of exceptions of other queues."""
        return len(self.letters) * len(Laboratory(self.client, self.mode).others)

    def compare(self, begin: int, end: int, keep: Keep | None = None) -> Totals:
        """Find all models for these cases, and compare each with the client code."""
        laboratory, asks = Laboratory(self.client, self.mode), bool(asks_again(self.client))
        cases = of_mode(self.client, self.mode).cases(self.letters[begin:end])
        alone = [laboratory.alone(numbers) for numbers in cases]
        places = {tuple(numbers[name] for name in LETTER): place for place, numbers in enumerate(cases)}
        missing = {
            (place, others): seen_by_code(letter, others, asks)
            for place, letter in enumerate(alone)
            for others in laboratory.others
        }
        known = dict(missing)
        text, layout = self.text(cases, laboratory.others)
        totals = Totals()
        digits, said, digests, differs = [], [], [], {}

        def unlike(place: int, others: int, model: str) -> str:
            code = f"code: {_said(known[place, others])}"
            case = f"{case_words(cases[place])}, others throw {OTHERS[others]}"
            sentence = f"{case}: {code}. Solver: {model}"
            totals.differs(Wrong((begin + place,), (), sentence))
            return sentence

        for model in solutions(text, LIMIT):
            place = places[tuple(model[name] for name in LETTER)]
            others = OTHERS.index(tuple(model[name] for name in THROWN_NAMES))
            seen = seen_by_terms(layout.outcome(_row(layout, model), alone[place].queue), others, asks)
            digits.append((self.letters[begin + place], others))
            said.append(_said(seen))
            digests.append(digest_of((begin + place, others, seen)))
            if missing.pop((place, others), None) != seen:
                differs[totals.counted] = unlike(place, others, said[-1])
            totals.counted += 1
            if totals.counted >= MORE * len(known):
                break  # the search would not end
        for place, others in missing:
            unlike(place, others, "no model")
        totals.adds(sum(digests))
        if keep and digests:
            digest = np.array(digests, dtype=np.uint64)
            self.add(keep, differs, digits=digits, found=said, digest=digest)
        return totals

    def text(self, cases: Sequence[Values], others: Sequence[int]) -> tuple[str, Layout]:
        """Return the solver query for some cases, and the meaning of the result's columns.

        ``others``: possible exceptions of other queues, as indexes into ``OTHERS``.
        """
        v = SimpleNamespace(**{name: smt.Int(name) for name in (*NAMES, *THROWN_NAMES)})
        layout, terms = step_terms(self.client, v)
        bits = [term for term in terms if smt.is_bool(term)]
        numbers = {place: term for place, term in enumerate(terms) if not smt.is_bool(term)}
        thrown = Thrown(*(getattr(v, name) == 1 for name in THROWN_NAMES))
        trace = smt.Sum([smt.If(bit, smt.IntVal(1 << place), 0) for place, bit in enumerate(bits)])
        asserted = [
            Assertion("the consumer", _equal(v, FIXED, cases[0])),
            Assertion("one of the letters", smt.Or([_equal(v, LETTER, case) for case in cases])),
            Assertion("exceptions of other queues", smt.Or([_thrown(v, place) for place in others])),
            Assertion("possible exceptions of other queues", self.client.encoding.possible(thrown, v.own_store == 1)),
            Assertion("properties of the result", smt.Int(TRACE) == trace),
            *(Assertion(layout.columns[place], smt.Int(_name(place)) == term) for place, term in numbers.items()),
        ]
        title = f"{self.client.rocketmq_name}, {self.mode.name}: {len(cases)} states and answers of one queue"
        return render(title, asserted), layout


def _equal(v: SimpleNamespace, names: Sequence[str], case: Values) -> smt.BoolTerm:
    return smt.And([getattr(v, name) == case[name] for name in names])


def _thrown(v: SimpleNamespace, others: int) -> smt.BoolTerm:
    return _equal(v, THROWN_NAMES, dict(zip(THROWN_NAMES, OTHERS[others], strict=True)))


def _name(column: int) -> str:
    return f"column_{column}"


def _row(layout: Layout, model: Values) -> list[int]:
    """Return the value of each column in the solver's model."""
    bits = iter(range(len(layout.columns)))
    return [
        model[_name(place)] if _name(place) in model else model[TRACE] >> next(bits) & 1
        for place in range(len(layout.columns))
    ]


def _said(seen: Seen) -> str:
    effects, became, returned = seen
    said = f"{effects_words(effects)}; {became_words(became)}"
    return said if returned is None else f"{said}; {returned_words(returned[0], returned[1])}"
