"""Sentences about claims on strategies: the situation and the assumptions."""

from collections.abc import Sequence

from rebalance_proofs.model.subject import subject as names
from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.allocation.search import LIMIT, first_violation, sizes_within
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.runs import assumed
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.names import clients, run_by, shippers, short_label, subject
from rebalance_proofs.report.shown import Cells
from rebalance_proofs.report.text.grouped import grouped

# Search the smallest counterexample group: fewest consumers first, then fewest queues.

QUEUES, SIZED = 6, 5
"""Largest number of queues of the groups that the search tries; the second if each queue has its own unknowns."""


def smallest(claim: Claim) -> Counterexample:
    """Return the smallest counterexample.

    Raises ``LookupError`` if there is none within the bounds.
    """
    limits = LIMIT, SIZED if claim.world.sized else QUEUES
    consumers, queues = (min(pair) for pair in zip(claim.world.bound, limits, strict=True))
    for n, q in sizes_within((consumers, queues)):
        found = first_violation(claim.guarantee, claim.world, claim.subjects, n, q)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {consumers} consumers and {queues} queues")


# Table layout of claims about strategies: families, rows and columns.

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
ASSIGNMENT = Family(
    "assignment",
    "The broker's assignment",
    "Which members read which queue if the broker assigns the queues and members pop. k is popShareQueueNum.",
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
FAMILIES = (PROMISES, PREMISES_DROPPED, MOVEMENT, GROWTH, JOINS_AND_RESTARTS, TOPICS, ASSIGNMENT, CLIENTS, CODE)


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


ABOUT = {
    MOVEMENT: "A group before and after one consumer joins; in reverse, before and after one leaves.",
    GROWTH: "A group before and after queues are added; in reverse, before and after queues are removed.",
    JOINS_AND_RESTARTS: "A group before and after one or two changes.",
    TOPICS: "All topics of a group together, at one moment.",
    CODE: "One consumer's allocation of one topic: the code, and the encoding that proofs use for it.",
}
"""Sentence on the groups that guarantees are about, for families whose claims share it."""


def about(claim: Claim) -> str:
    """Return a sentence on the guarantee's subject: one group or two, one topic or several, ..."""
    if claim.world.subjects > 1 and not claim.world.dropped:
        first, second = map(run_by, claim.subjects)
        return f"One group run by {first}, compared with the same group run by {second}."
    if family(claim) == CLIENTS:
        return f"One group whose consumers run two clients: {pair(claim)}."
    return ABOUT.get(family(claim), "One group and one topic, at one moment.")


def given(claim: Claim) -> str:
    """Return a line on the group or on the dropped assumption's failure, then the assumptions."""
    if not claim.world.dropped:
        return f"{claim.world.sentence}\n{assumed(claim)}"
    return f"How the assumption fails: {claim.world.without}\n{assumed(claim)}"


def over(claim: Claim) -> str:
    """Return the queues of the topic that the claim covers, in words.

    Empty if it covers every queue.
    """
    return next((one.over for one in claim.subjects if one.over and one.over in claim.sentence), "")


def limits(claim: Claim) -> list[str]:
    """Return a remark for each strategy for which the claim covers only some queues of the topic."""
    said = over(claim)
    return [f"{short_label(one)}: {said}" for one in claim.subjects if one.over and said]


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Return a heading with the claims' common dropped assumption, and a line for each claim."""
    first = claims[0].world
    heading = f"without {first.name}: {first.otherwise}" if family(claims[0]) == PREMISES_DROPPED else ""
    return heading, tuple(map(_sentence, claims))


def _sentence(claim: Claim) -> str:
    names, kind = row(claim), family(claim)
    if kind == PREMISES_DROPPED:
        return f"{names[-1]}: {claim.guarantee.sentence}"
    whose = f"{names[0]} ({names[1]})" if kind == CLIENTS else names[0]
    even_if = f", even if {claim.world.otherwise}" if claim.world.dropped else ""
    return f"{whose}: {claim.guarantee.sentence}{even_if}"
