"""Steps of a trace of a whole group: members, each consumer's list of members, and queue owners."""

from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import Any

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.explorer.told import holders, of_group, real, said
from rebalance_proofs.report.replay.way import Gone, Way
from rebalance_proofs.report.steps import Party, Played, Step, Value
from rebalance_proofs.report.trace_variables import PLAIN, TraceVariable
from rebalance_proofs.spark_enum.explorer.plain import Plain, State


def group_heading(found: Way, been: Gone) -> Iterator[str]:
    """Yield the model and group of the trace, and how many of its states agree with the replay."""
    yield f"{found.subject.name}: {found.watch.name}"
    yield from (f"  {line}" for line in of_group(found.subject, found.settings, found.model))
    many = len(been.states)
    by = "the explored model and the modelled client code" if been.code else "the explored model"
    yield f"  {count(len(found.moves), 'step')}, replayed on {by}; {count(many, 'state')} of the trace agreed."
    yield f"  Real clients: {real(found.subject)}"


def group_steps(found: Way, been: Gone) -> Played:
    """Return the replayed steps.

    The last line names the queues in the bad state, such as two owners.
    """
    values = [dict(_values(found, state)) for state in been.states]
    first, *others = (
        Step(said, None, tuple(Value(now[name], PLAIN, now[name] != before[name]) for name in now))
        for said, (before, now) in zip(_said(found), pairwise(chain(values[:1], values)), strict=True)
    )
    variables = {
        party: tuple(TraceVariable(name, name) for one, name in values[0] if one == party) for party, _ in values[0]
    }
    parties = tuple(Party(party, own) for party, own in variables.items())
    queues = listing(f"queue {queue}" for queue in been.queues)
    where = f"Bad state of {queues}" if queues else "Bad state"
    return Played(parties, first, tuple(others), f"{where}: {found.watch.sentence}")


def _said(found: Way) -> Iterator[str]:
    yield "Initial state."
    yield from said(found.model, found.moves)


def _values(found: Way, state: State) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield ((owner, name), value in words) of every value in a state."""
    model, plain = found.model, Plain(found.model)
    yield ("group", "members"), _consumers(model.ids(state.members))
    for who, view in enumerate(model.views(state.members)):
        yield (f"c{who}", "sees members"), _consumers(view)
    for queue, row in enumerate(state.queues):
        numbers: Mapping[str, Any] = plain.numbers(row)
        has = holders(model, numbers, found.settings.consumers)
        yield (f"queue {queue}", "owner"), listing(has) if has else "no consumer"
        yield (f"queue {queue}", "broker"), model.noted(numbers)


def _consumers(ids: frozenset[int]) -> str:
    return listing(f"c{who}" for who in sorted(ids)) if ids else "none"
