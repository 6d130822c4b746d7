"""The user's own guarantee (``--property``), judged by their function in a child process."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from rebalance_proofs.model.group import Consumer, Group, Results
from rebalance_proofs.model.own.asked import Asked, Refusal
from rebalance_proofs.model.own.call import VIOLATED, Call, Gave, Outcome, Refused, Worker
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.repeated import Open
from rebalance_proofs.spark_enum.own.rows import NEEDED, Row, Smallest, row_name
from rebalance_proofs.spark_enum.own.spaces import OwnSpace
from rebalance_proofs.spark_enum.own.tried import try_groups

PREFIX = "property."
"""Start of the names of the user's own guarantees."""


def property_of(worker: Worker, name: str) -> Guarantee:
    """Return the user's function as a guarantee; ``name`` is that of the function.

    Its check raises ``StrategyError`` if the function fails otherwise than by an assertion.
    """

    def violation(group: Group, results: Results) -> str | None:
        outcome = worker.answers([_call(group, results)])[0]
        if isinstance(outcome, Gave):
            return None
        return _sentence(name, group, outcome)

    return Guarantee(
        name=f"{PREFIX}{name}",
        sentence=f"Your own guarantee {name}",
        source="",
        obligations=always(),
        violated=lambda group: smt.BoolVal(False),
        violation=violation,
    )


def judging(spaces: Sequence[OwnSpace], judged: Guarantee | None) -> tuple[OwnSpace, ...]:
    """Return the spaces with the user's own guarantee, for groups in which all consumers see the same lists."""
    return tuple(
        replace(space, guarantees=(judged, *space.guarantees)) if judged and space.world is AGREED else space
        for space in spaces
    )


def _call(group: Group, results: Results) -> Call:
    places = {queue: place for place, queue in enumerate(group.queues)}

    def written(queue: MessageQueue) -> object:
        return places.get(queue, list(queue))

    taken = {
        consumer.client_id: [written(queue) for queue in result]
        for consumer, result in zip(group.consumers, results, strict=True)
    }
    ids: Sequence[str] = [consumer.client_id for consumer in group.consumers]
    return Call(json.dumps(taken), "", group.queues, tuple(ids))


def _sentence(name: str, group: Group, outcome: Refused) -> str:
    start = f"throws {VIOLATED}"
    if not outcome.what.startswith(start):
        ids = ", ".join(consumer.client_id for consumer in group.consumers[:4])
        raise StrategyError(
            f"--property: {name} {outcome.what}, for the ids {ids} and queues 0 to {len(group.queues) - 1}"
        )
    said = outcome.what.removeprefix(start).removeprefix(":").strip()
    said = said.rpartition(" (")[0] if said.endswith(")") and ".py:" in said.rpartition(" (")[2] else said
    return f"{said.rstrip('.')}." if said else f"The property {name} does not hold."


# A group with stored results of a user-defined strategy, for display.
# Later calls of the strategy do not change the stored results.


def examples(rows: Sequence[Row], asked: Asked, tries: int = 1) -> dict[str, Counterexample]:
    """Return the smallest group of each broken guarantee (row), by the row's name.

    All rows have the same smallest group. ``asked`` calls a fresh process, which computes only that group. Rows that
    hold in this computation are left out. The calls and their order are those of ``checked.check_group``, so the
    command for one group shows the same results. A strategy that does not repeat its results is called ``tries`` times
    at most.
    """
    smallest = next(row.shown for row in rows if row.shown)
    space, wrong = smallest.space, smallest.wrong
    one = Configuration(wrong.size[0], wrong.size[1], wrong.digits)
    everybody = (asked, *((space.beside,) if space.beside else ()))
    shown: dict[str, Counterexample] = {}
    for _ in range(tries):
        groups = space.groups(asked.strategy, [one])
        found = try_groups(space, asked, [one], groups)
        said = {row_name(name, space.world): broken.sentence for name, broken in found.broken.items()}
        group = kept(groups[0], everybody)
        for row in rows:
            if row.name in said and row.name not in shown:
                shown[row.name] = Counterexample(one.consumers, one.queues, one.values, group, said[row.name])
        if len(shown) == len(rows) or asked.ended:
            break
    return shown


def kept(group: Group, asked: Sequence[Asked]) -> Group:
    """Return the same group with consumers that return their stored results."""
    consumers = tuple(_kept(consumer, asked) for consumer in group.consumers)
    return replace(group, consumers=consumers, reference=group.reference and kept(group.reference, asked))


def _kept(consumer: Consumer, asked: Sequence[Asked]) -> Consumer:
    whose = next((one for one in asked if one.strategy is consumer.strategy), None)
    if whose is None:
        return consumer
    outcome = whose.outcome(consumer)

    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        return answer_of(outcome)

    return replace(consumer, strategy=replace(consumer.strategy, allocate=allocate))


def answer_of(outcome: Outcome) -> list[MessageQueue]:
    if isinstance(outcome, Refused):
        raise Refusal(outcome)
    return [queue for queue in outcome.queues if queue is not None]


# A second example with several queues, because the smallest group may be too small to recognise the mistake.

QUEUES = 4
"""The least number of queues of the second example."""
TRIED, MORE, MOST = 60, 2, 16
"""Limits of the search: number of groups, additional consumers, and queues."""
Larger = Mapping[str, tuple[Smallest, Counterexample]]


def larger(rows: Sequence[Row], open_: Open) -> Larger:
    """Return a group with at least ``QUEUES`` queues for each broken guarantee whose smallest group has fewer."""
    wanted = [row for row in rows if row.smallest and _degenerate(row)]
    found: dict[str, tuple[Smallest, Counterexample]] = {}
    if wanted:
        with open_(0) as worker:
            for row in wanted:
                if one := _next(row, Asked(worker)):
                    found[row.name] = one
    return found


def _degenerate(row: Row) -> bool:
    needed = row.name in NEEDED or row.name.startswith(PREFIX)
    return row.world is AGREED and needed and row.smallest is not None and row.smallest.wrong.size[1] < QUEUES


def _next(row: Row, asked: Asked) -> tuple[Smallest, Counterexample] | None:
    assert row.smallest
    space = row.smallest.space
    for one in islice(_configurations(space, row.smallest.wrong.size[0]), TRIED):
        (group,) = space.groups(asked.strategy, [one])
        wrong = try_groups(space, asked, [one], [group]).broken.get(row.name)
        if asked.ended:
            return None
        if wrong:
            example = Counterexample(one.consumers, one.queues, one.values, kept(group, [asked]), wrong.sentence)
            return Smallest(space, wrong), example
    return None


def _configurations(space: OwnSpace, consumers: int) -> Iterator[Configuration]:
    if isinstance(space, NamedSpace):
        yield from (one for one in space.space if one.queues >= QUEUES and one.consumers >= consumers)
        return
    for n in range(consumers, min(space.bound[0], consumers + MORE) + 1):
        yield from (Configuration(n, q, ()) for q in range(QUEUES, min(space.bound[1], MOST) + 1))
