"""How claims about strategies are shown."""

from collections.abc import Sequence
from functools import partial

from rebalance_proofs.model.worlds.joins import JOINS
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.names import clients, run_by, shippers, subject
from rebalance_proofs.report.shelf import Shelf, one_cell_each

PROMISES = Family(
    "promises",
    "One topic, all premises hold",
    "Which strategy gives which guarantee, when all consumers agree on what they see.",
    ("Strategy",),
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
    """Rooms of the ledger that are not known here have a family of their own."""
    room = claim.id.split(".")[0]
    if room == "allocation":
        if claim.world.name == JOINS.name:
            return MOVEMENT
        return PREMISES_DROPPED if claim.world.dropped else PROMISES
    known = {found.name: found for found in (MOVEMENT, GROWTH, JOINS_AND_RESTARTS, TOPICS, CLIENTS, CODE)}
    return known.get(room) or Family(room, room.capitalize(), "", ("Subject",))


def row(claim: Claim) -> tuple[str, ...]:
    """Strategies; the premise or the pair of clients with them where that is what the family is about."""
    _, called, _, *suffix = f"{claim.id}...".split(".")
    found = family(claim)
    if found == PREMISES_DROPPED:
        return claim.world.name, subject(claim.subjects)
    if found == CLIENTS:
        return claim.subjects[0].rocketmq_name, pair(claim)
    if found in FAMILIES:
        return (", ".join([subject(claim.subjects), *(part.replace("-", " ") for part in suffix if part)]),)
    return (called,)


def column(claim: Claim) -> str:
    """The guarantee."""
    if family(claim) not in FAMILIES:
        return ".".join(claim.id.split(".")[2:]) or claim.id
    mixed = family(claim) == CLIENTS and claim.world.dropped
    return f"{claim.guarantee.name} in a mixed group" if mixed else claim.guarantee.name


def pair(claim: Claim) -> str:
    """``Java, Rust with Go``: whose strategies a claim is about."""
    return " with ".join(", ".join(clients(shippers(strategy))) for strategy in claim.subjects)


def about(claim: Claim) -> str:
    """How many groups, topics and clients."""
    found = family(claim)
    if claim.world.subjects > 1 and not claim.world.dropped:
        first, second = map(run_by, claim.subjects)
        return f"One group run by {first}, compared with the same group run by {second}."
    if found == MOVEMENT:
        return "A group after one consumer has joined, compared with the same group before. Read backwards, it leaves."
    if found == GROWTH:
        return (
            "A group after queues were added, compared with the same group before. Read backwards, they are taken away."
        )
    if found == JOINS_AND_RESTARTS:
        return "A group that changes once or twice, compared with itself before."
    if found == TOPICS:
        return "All topics of a group together, at one moment."
    if found == CODE:
        return "One consumer's allocation of one topic: the code and the encoding that stands for it in proofs."
    if found == CLIENTS:
        return f"One group in which some consumers run one client and some another: {pair(claim)}."
    return "One group and one topic, at one moment."


def given(claim: Claim) -> str:
    """The premise that is dropped, or what holds."""
    if not claim.world.dropped:
        return f"Given: {claim.world.sentence}"
    return f"All premises hold but one: {claim.world.sentence} How that one comes to fail: {claim.world.without}"


def over(claim: Claim) -> str:
    """What of the topic the claim speaks of, where it does not speak of every queue."""
    return next((one.over for one in claim.subjects if one.over and one.over in claim.sentence), "")


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """The premise that all are made without, if it is one; whose guarantee each is, and what it says."""
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


SHELF = Shelf(family, row, column, partial(one_cell_each, row, column), about, given, over, listed)
