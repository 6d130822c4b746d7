"""Tables of the findings page: strategies' assumptions, costs of joins, pauses of ordered queues."""

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH
from rebalance_proofs.model.premises import PREMISES
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.movement.lemmas import changed_hands_observed as changed_hands
from rebalance_proofs.report.allocation.kind import ALLOCATION
from rebalance_proofs.report.allocation.sentences import PREMISES_DROPPED
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.claims.seen import seen_of
from rebalance_proofs.report.index.entries import together
from rebalance_proofs.report.kinds import family
from rebalance_proofs.report.markdown_tables import NOTHING, table
from rebalance_proofs.report.names import subject
from rebalance_proofs.report.ordered.pauses import EVENTS_HEAD, HEAD, event_rows, rows

CONSEQUENCES = {"disjoint": "duplicate", "covers": "no reader"}
"""What can happen to a queue if a guarantee fails, by the guarantee's name."""


def survival() -> str:
    """Return a table of strategies and dropped assumptions: can a queue get two readers, or none?"""
    claims = [claim for claim in LEDGER if family(claim) == PREMISES_DROPPED]
    premises = [world for world in PREMISES if any(claim.world.name == world.name for claim in claims)]
    subjects = dict.fromkeys(subject(claim.subjects) for claim in claims if len(claim.subjects) == 1)
    rows = []
    for world in premises:
        about = [claim for claim in claims if claim.world.name == world.name]
        rows.append((world.otherwise, *(_cell(name, about) for name in subjects)))
    rows.append(("*real clients*", *(str(together([one.id for one in _own(name, claims)])) for name in subjects)))
    return table(("when", *subjects), rows)


def _cell(name: str, claims: list[Claim]) -> str:
    own = _own(name, claims)
    lost: dict[str, Claim] = {}
    for claim in own:
        if claim.expected is Verdict.REFUTED:
            lost.setdefault(CONSEQUENCES[claim.guarantee.name], claim)
    said = " or ".join(f"[{consequence}]({from_docs(claim.id)})" for consequence, claim in lost.items())
    return said or (NOTHING if not own else "neither")


def _own(name: str, claims: list[Claim]) -> list[Claim]:
    """Return the claims about the strategy alone.

    Without any, the claims about it together with another strategy.
    """
    own = [claim for claim in claims if subject(claim.subjects) == name]
    return own or [claim for claim in claims if name in subject(claim.subjects).split(" + ")]


def moves(queues: int, consumers: int) -> str:
    """Return a table of the queues that move when one consumer joins ``consumers`` others.

    The number depends on the position of the new consumer in the sort order.
    """
    places = {"first": 0, "in the middle": (consumers + 1) // 2, "last": consumers}
    rows = []
    for strategy in (AVERAGELY, AVERAGELY_BY_CIRCLE, CONSISTENT_HASH):
        groups = [JOINS.group((strategy,), consumers + 1, queues, (place,)) for place in places.values()]
        counted = (str(changed_hands(group, group.allocate())) for group in groups)
        rows.append((strategy.rocketmq_name, *counted, str(seen_of(ALLOCATION, (strategy,)).mark)))
    return table(("strategy", *(f"joiner sorts {name}" for name in places), "real clients"), rows)


def pauses() -> str:
    """Return a table of the longest pause of an ordered queue that changes owners, by client."""
    return table(HEAD, rows())


def events() -> str:
    """Return a table of the longest pause of an ordered queue around one and two events, by client."""
    return table(EVENTS_HEAD, event_rows())
