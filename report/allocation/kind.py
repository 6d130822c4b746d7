"""How reports show claims about allocation strategies: the functions that all reports use."""

from operator import attrgetter

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.report.allocation import (
    again,
    atlas,
    caption,
    document,
    figure,
    places,
    sentences,
    smallest,
    turns,
)
from rebalance_proofs.report.allocation.chapters import chapters
from rebalance_proofs.report.allocation.enumeration import GROUPS_TOLD
from rebalance_proofs.report.english import group_size
from rebalance_proofs.report.names import client, set_by_users, shippers, short_label
from rebalance_proofs.report.shown import Shown


def recordings(strategy: Strategy) -> dict[tuple[str, str], str]:
    """Return the recorded results that can be compared with the strategy's code.

    The key is (client, part of the model), the value is the client's display name. Unrecorded clients are missing.
    """
    return {
        (one.recorded_as or one.name, strategy.name): f"{client(one)} ({one.observed})"
        if one.recorded_as
        else client(one)
        for one in shippers(strategy)
    }


ALLOCATION = Shown(
    families=places.FAMILIES,
    family=places.family,
    row=places.row,
    column=places.column,
    cells=places.cells,
    about=sentences.about,
    given=sentences.given,
    listed=sentences.listed,
    limits=sentences.limits,
    atlases=atlas.atlases,
    strategies=set_by_users,
    label=short_label,
    code=attrgetter("allocate"),
    smallest=smallest.smallest,
    size=lambda example: group_size((example.consumers, example.queues)),
    lines=lambda claim, example: caption.caption(example),
    figure=lambda claim, example: figure.figure(example, f"figure-{claim.id}"),
    document=lambda claim, example: document.document(example),
    types=document.TYPES,
    states=lambda claim, example: document.states(example),
    turns=turns.turns,
    again=again.AGAIN,
    recorded=recordings,
    enumeration=GROUPS_TOLD,
    chapters=chapters,
)
