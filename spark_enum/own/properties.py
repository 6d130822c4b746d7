"""The user's own guarantee (``--property``), judged by their function in a child process."""

import json
from collections.abc import Sequence
from dataclasses import replace

from rebalance_proofs.model.group import Group, Results
from rebalance_proofs.model.own.call import Call, Gave, Refused
from rebalance_proofs.model.own.judging import VIOLATED
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.spark_enum.own.spaces import OwnSpace

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
