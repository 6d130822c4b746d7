"""Table layout of claims about strategies: families, rows and columns."""

from collections.abc import Sequence

from rebalance_proofs.model.subject import subject as names
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.names import clients, shippers, subject
from rebalance_proofs.report.shown import Cells

PROMISES = Family(
    "promises",
    "One topic, all premises hold",
    "Which strategy gives which guarantee, when all consumers agree on what they see.",
    ("Strategy",),
    premised=True,
)
PREMISES_DROPPED = Family(
    "premises",
    "One topic, without a premise",
    "What becomes of a guarantee when consumers do not agree on one thing.",
    ("Without", "Strategy"),
)
MOVEMENT = Family(
    "movement",
    "When a consumer joins or leaves",
    "The same group before and after one consumer joins: which queues change hands. Read backwards, it leaves.",
    ("Strategy",),
)
GROWTH = Family(
    "growth",
    "When queues are added or taken away",
    "The same group before and after queues are added to the topic: which of the others change hands. Read backwards, "
    "queues are taken away.",
    ("Strategy",),
)
JOINS_AND_RESTARTS = Family(
    "joins",
    "When several join, or one restarts",
    "The same group at the beginning, in between and in the end: which queues change hands, and how often.",
    ("Strategy",),
)
TOPICS = Family(
    "topics",
    "Several topics",
    "What consumers have of all topics of their group together, divided one by one or as one list.",
    ("Strategy",),
)
CLIENTS = Family(
    "clients",
    "Clients of different languages",
    "Strategies that have one name and are different functions: the same group run by the one client and by the other, "
    "and groups in which both run.",
    ("Strategy", "Clients"),
)
CODE = Family(
    "code",
    "The code that runs",
    "That the encodings, of which everything is proved, are the code that is run: the code itself on lists of unknown "
    "length, path by path.",
    ("Strategy",),
)
FAMILIES = (PROMISES, PREMISES_DROPPED, MOVEMENT, GROWTH, JOINS_AND_RESTARTS, TOPICS, CLIENTS, CODE)


def family(claim: Claim) -> Family:
    """The claim's family; a package of claims without a declared one gets a family of its own."""
    if claim.room == "allocation":
        if claim.world.name == JOINS.name:
            return MOVEMENT
        return PREMISES_DROPPED if claim.world.dropped else PROMISES
    return next(
        (known for known in FAMILIES if known.name == claim.room),
        Family(claim.room, claim.room.capitalize(), "", ("Subject",)),
    )


def row(claim: Claim) -> tuple[str, ...]:
    """Strategies, preceded by the dropped premise or followed by the pair of clients in the families about these."""
    found = family(claim)
    if found == PREMISES_DROPPED:
        return claim.world.name, subject(claim.subjects)
    if found == CLIENTS:
        return claim.subjects[0].rocketmq_name, pair(claim)
    if found in FAMILIES:
        variant = claim.variant.replace("-", " ").split(".")
        return (", ".join([subject(claim.subjects), *filter(None, variant)]),)
    return (names(claim.subjects),)


def column(claim: Claim) -> str:
    """The guarantee."""
    if family(claim) not in FAMILIES:
        return ".".join(filter(None, (claim.guarantee.name, claim.variant)))
    mixed = family(claim) == CLIENTS and claim.world.dropped
    return f"{claim.guarantee.name} in a mixed group" if mixed else claim.guarantee.name


def cells(claims: Sequence[Claim]) -> Cells:
    """Each claim in the cell of its row and column."""
    return grouped(claims, lambda claim: (row(claim), column(claim)))


def pair(claim: Claim) -> str:
    """Clients whose strategies the claim is about: ``Java, Rust with Go``."""
    return " with ".join(", ".join(clients(shippers(strategy))) for strategy in claim.subjects)
