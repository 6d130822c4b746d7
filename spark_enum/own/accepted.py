"""Leave out derived names that the strategy does not accept, such as a weight without a number."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Refused
from rebalance_proofs.model.own.names import PLAIN_IDS
from rebalance_proofs.model.own.worker import Worker
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.repeated import outcomes
from rebalance_proofs.spark_enum.own.spaces import OwnSpace

FORMATS = ("ValueError", "NumberFormatException", "IllegalArgumentException")
"""Exceptions with which code rejects the format of a name."""
LISTS = 3
"""The number of lists of queues for which the name has to be rejected."""


@dataclass(frozen=True)
class Rejected:
    """A client id that the strategy rejects in every group, and what the call does."""

    client_id: str
    what: str


def accepted(spaces: Sequence[OwnSpace], worker: Worker) -> tuple[tuple[OwnSpace, ...], tuple[Rejected, ...]]:
    """Return the spaces without derived ids whose format the strategy rejects, and these ids.

    An id is rejected if its own call throws such an exception alone and beside plain ids, with several lists of queues.
    """
    asked = Asked(worker)  # calls that fail here do not count against the later ones
    every: list[OwnSpace] = []
    rejected: list[Rejected] = []
    for space in spaces:
        invented = isinstance(space, NamedSpace) and not space.names.ids_given and space.world.subjects == 1
        if isinstance(space, NamedSpace) and invented:
            found = [Rejected(one, _what(space, one, asked)) for one in space.names.ids if one not in PLAIN_IDS]
            known = {one.client_id for one in rejected}
            rejected += [one for one in found if one.what and one.client_id not in known]
            lost = {space.names.ids.index(one.client_id) for one in found if one.what}
            chosen = tuple(ids for ids in space.names.chosen if not lost & {*ids})
            every.append(replace(space, names=replace(space.names, chosen=chosen)) if lost else space)
        else:
            every.append(space)
    return tuple(every), tuple(rejected)


def _what(space: NamedSpace, client_id: str, asked: Asked) -> str:
    """Return how the strategy rejects the id; empty if it accepts it in some group."""
    ids = space.names.ids
    place, plain = ids.index(client_id), [ids.index(one) for one in PLAIN_IDS if one in ids]
    said = ""
    if asked.ended:
        return ""
    for chosen in ((place,), tuple(sorted((place, *plain)))):
        some = space.space.of_ids(chosen)[:LISTS]
        every = outcomes(asked, space.groups(asked.strategy, some), space.naming.consumer_group)
        if len(every) < len(some):
            return ""
        for told in every:
            outcome = told[chosen.index(place)]
            if not isinstance(outcome, Refused) or not any(one in outcome.what for one in FORMATS):
                return ""
            said = outcome.what
    return said
