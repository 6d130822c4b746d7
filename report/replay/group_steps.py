"""Steps of a trace of a whole group: members, what each has seen, owners of each queue."""

from collections.abc import Iterator, Mapping
from itertools import chain, pairwise
from typing import Any

from rebalance_proofs.report.english import count, listing
from rebalance_proofs.report.explorer.told import holders, of_group, real, said
from rebalance_proofs.report.replay.way import Gone, Way
from rebalance_proofs.report.steps import Party, Played, Step, Value
from rebalance_proofs.report.trace_variables import PLAIN, TraceVariable
from rebalance_proofs.spark_enum.explorer.plain import Plain, State

__all__ = ["group_heading", "group_steps"]


def group_heading(found: Way, been: Gone) -> Iterator[str]:
    """The model and group of the trace, and how many of its states agree."""
    yield f"{found.subject.name}: {found.watch.name}"
    yield from (f"  {line}" for line in of_group(found.subject, found.settings, found.model))
    many = len(been.states)
    agree = f"{count(many, 'state')} of the trace {'agrees' if many == 1 else 'agree'}"
    model = "by the model that was explored"
    by = f"on the client's code as it is modelled, and {model}" if been.code else model
    yield f"  {count(len(found.moves), 'step')}, run just now {by}; {agree}."
    yield f"  Real clients: {real(found.subject)}"


def group_steps(found: Way, been: Gone) -> Played:
    """The steps as replayed; the last line names the queues for which the target predicate holds."""
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
    so = f"So it is with {queues}" if queues else "So it is"
    return Played(parties, first, tuple(others), f"{so}: {found.watch.sentence}")


def _said(found: Way) -> Iterator[str]:
    yield "It begins."
    yield from said(found.model, found.moves)


def _values(found: Way, state: State) -> Iterator[tuple[tuple[str, str], str]]:
    """((owner, name), value in words) of everything in a state."""
    model, plain = found.model, Plain(found.model)
    yield ("group", "members"), _consumers(model.ids(state.members))
    for who, view in enumerate(model.views(state.members)):
        yield (f"c{who}", "has seen"), _consumers(view)
    for queue, row in enumerate(state.queues):
        numbers: Mapping[str, Any] = plain.numbers(row)
        has = holders(model, numbers, found.settings.consumers)
        yield (f"queue {queue}", "has it"), listing(has) if has else "nobody"
        yield (f"queue {queue}", "broker"), model.noted(numbers)


def _consumers(ids: frozenset[int]) -> str:
    return listing(f"c{who}" for who in sorted(ids)) if ids else "nobody"
