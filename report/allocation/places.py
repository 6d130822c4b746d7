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
    "One topic, all assumptions hold",
    "The guarantees of each strategy when all consumers see the same lists.",
    ("Strategy",),
    premised=True,
)
PREMISES_DROPPED = Family(
    "premises",
    "One topic, one assumption fails",
    "Whether a guarantee survives when consumers disagree on one thing.",
    ("Without", "Strategy"),
)
MOVEMENT = Family(
    "movement",
    "When a consumer joins or leaves",
    "The queues that change hands when one consumer joins. Read in reverse, the consumer leaves.",
    ("Strategy",),
)
GROWTH = Family(
    "growth",
    "When queues are added or removed",
    "The old queues that change hands when queues are added to the topic. Read in reverse, queues are removed.",
    ("Strategy",),
)
JOINS_AND_RESTARTS = Family(
    "joins",
    "When several join, or one restarts",
    "The queues that change hands when a group changes once or twice, and how often they do.",
    ("Strategy",),
)
TOPICS = Family(
    "topics",
    "Several topics",
    "How many queues of all topics together each consumer gets. Topics are divided one by one, or as one list.",
    ("Strategy",),
)
CLIENTS = Family(
    "clients",
    "Clients of different languages",
    "Strategies with one name that are different functions. Compared are the same group run by either client, and "
    "groups that mix both.",
    ("Strategy", "Clients"),
)
CODE = Family(
    "code",
    "The code that runs",
    "The proofs use encodings of the code. These claims run the code itself on lists of any length, path by path, and "
    "compare it with the encoding.",
    ("Strategy",),
)
FAMILIES = (PROMISES, PREMISES_DROPPED, MOVEMENT, GROWTH, JOINS_AND_RESTARTS, TOPICS, CLIENTS, CODE)


def family(claim: Claim) -> Family:
    """Return the claim's family, the table that shows it.

    Undeclared packages of claims get their own family.
    """
    if claim.room == "allocation":
        if claim.world.name == JOINS.name:
            return MOVEMENT
        return PREMISES_DROPPED if claim.world.dropped else PROMISES
    return next(
        (known for known in FAMILIES if known.name == claim.room),
        Family(claim.room, claim.room.capitalize(), "", ("Subject",)),
    )


def row(claim: Claim) -> tuple[str, ...]:
    """Return the claim's row names: the strategies, and the dropped assumption or pair of clients if any."""
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
    """Return the claim's column in its family's table: the name of its guarantee."""
    if family(claim) not in FAMILIES:
        return ".".join(filter(None, (claim.guarantee.name, claim.variant)))
    mixed = family(claim) == CLIENTS and claim.world.dropped
    return f"{claim.guarantee.name} in a mixed group" if mixed else claim.guarantee.name


def cells(claims: Sequence[Claim]) -> Cells:
    """Return the claims of each table cell, by row and column."""
    return grouped(claims, lambda claim: (row(claim), column(claim)))


def pair(claim: Claim) -> str:
    """Return the pair of clients that the claim is about: ``Java, Rust with Go``."""
    return " with ".join(", ".join(clients(shippers(strategy))) for strategy in claim.subjects)
