"""A counterexample as steps: each action of its trace, and the values after it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.steps import Party, Played, Step, Value
from rebalance_proofs.report.trace_variables import TraceVariable, bare

ACTION, NOW = "action", "now"
"""Variables of a trace that are not shown as values, since they are each step's text and time."""


def played(claim: Claim, example: Counterexample) -> Played | None:
    """Return the steps of a counterexample; None if the trace has no usable actions.

    The claim's kind may have its own function; otherwise the steps are those of the trace. The result is None if the
    trace records no actions, or if the counterexample in words does not have one line for each step.
    """
    kind = shown(claim)
    if kind.played:
        return kind.played(claim, example)
    if ACTION not in kind.types:
        return None
    states, lines = kind.states(claim, example), kind.lines(claim, example)
    if len(lines) != len(states) + 1:
        return None
    parties = tuple(_parties(kind.trace_variables(example) if kind.trace_variables else _things(states[0])))
    first, *steps = _steps(states, lines, [thing for party in parties for thing in party.trace_variables])
    return Played(parties, first, tuple(steps), lines[-1])


def _steps(states: Sequence[dict[str, Any]], lines: Sequence[str], things: Sequence[TraceVariable]) -> Iterator[Step]:
    for before, state, line in zip(chain(states[:1], states), states, lines, strict=False):
        values = tuple(
            Value(
                thing.words(thing.value(state)),
                thing.owner(thing.value(state)),
                thing.value(state) != thing.value(before),
            )
            for thing in things
        )
        yield Step(_bare(line), state.get(NOW), values)


def _bare(line: str) -> str:
    """Return the line without its leading number or time, which is printed separately."""
    return re.sub(r"^(\d+\. |[\d.]+ s: )", "", line)


def _things(state: dict[str, Any]) -> Iterator[TraceVariable]:
    """Yield one variable to show for each variable of the trace, or for each element of a sequence."""
    for name, value in state.items():
        if name in (ACTION, NOW):
            continue
        if isinstance(value, list):
            yield from (TraceVariable(name, f"{name} {place}", place=place, words=bare) for place in range(len(value)))
        else:
            yield TraceVariable(name, name, words=bare)


def _parties(things: Iterable[TraceVariable]) -> Iterator[Party]:
    for name, own in grouped(things, lambda thing: thing.party).items():
        yield Party(name, tuple(own))
