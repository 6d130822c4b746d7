"""A counterexample as steps: each action of its trace, and the values after it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import ClaimResult, Counterexample
from rebalance_proofs.report.claims.steps import Party, Played, Step, TraceVariable, Value, bare
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.text.grouped import grouped

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


# A counterexample in the Informal Trace Format of Apalache, for tools that show or replay traces.
# https://apalache-mc.org/docs/adr/015adr-trace.html

FORMAT = 1
"""Version of the replay data.

Increases when a reader of the old form would misread the new one.
"""


def trace(result: ClaimResult, example: Counterexample) -> dict[str, Any]:
    """Return the trace of a counterexample that a run found, as dicts and lists for JSON."""
    return trace_of(result.claim, example)


def trace_of(claim: Claim, example: Counterexample) -> dict[str, Any]:
    """Return the trace of a claim's counterexample, with one state for each step.

    ``#meta`` holds the data to replay it: ``replay`` for the whole trace, ``does`` for each state.
    """
    kind = shown(claim)
    meta = {
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": claim.id,
        "description": f"{readable(claim.sentence)} {kind.lines(claim, example)[-1]}",
        "varTypes": dict(kind.types),
    }
    steps: Sequence[Mapping[str, Any]] = ()
    if kind.again:
        whole, steps = kind.again.recipe(claim, example)
        meta["replay"] = {"format": FORMAT, **whole}
    states = []
    for number, state in enumerate(kind.states(claim, example)):
        does = {"does": steps[number - 1]} if 0 < number <= len(steps) else {}
        states.append({"#meta": {"index": number, **does}} | state)
    return {"#meta": meta, "vars": list(kind.types), "states": states}
