"""Families of claims: what is shown in one table, and in which row and column of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from model.premises import JOINS
from proofs.claim import Claim
from report.names import clients, run_by, shippers, short_label, subject


@dataclass(frozen=True)
class Family:
    """Claims that belong together."""

    name: str
    """Part of addresses on the page: ``promises``."""
    title: str
    sentence: str
    """What its claims are about."""
    corner: tuple[str, ...]
    """What the names of its rows are."""


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
FAMILIES = (PROMISES, PREMISES_DROPPED, MOVEMENT, TOPICS, CLIENTS)


def family(claim: Claim) -> Family:
    """Where a claim is shown; rooms of the ledger that are not known here have a family of their own."""
    room = claim.id.split(".")[0]
    if room == "allocation":
        if claim.premise.name == JOINS.name:
            return MOVEMENT
        return PREMISES_DROPPED if claim.premise.dropped else PROMISES
    known = {found.name: found for found in (MOVEMENT, TOPICS, CLIENTS)}
    return known.get(room) or Family(room, room.capitalize(), "", ("Subject",))


def families(claims: Iterable[Claim]) -> tuple[Family, ...]:
    """The families of these claims, in the order of ``FAMILIES``, then others as they come."""
    found = dict.fromkeys(map(family, claims))
    return (*(known for known in FAMILIES if known in found), *(other for other in found if other not in FAMILIES))


def row(claim: Claim) -> tuple[str, ...]:
    """The row of a claim in its family's table."""
    _, called, _, *suffix = f"{claim.id}...".split(".")
    found = family(claim)
    if found == PREMISES_DROPPED:
        return claim.premise.name, subject(claim.strategies)
    if found == CLIENTS:
        return claim.strategies[0].rocketmq_name, pair(claim)
    if found in FAMILIES:
        return (", ".join([subject(claim.strategies), *(part.replace("-", " ") for part in suffix if part)]),)
    return (called,)


def column(claim: Claim) -> str:
    """The column of a claim in its family's table."""
    if family(claim) not in FAMILIES:
        return ".".join(claim.id.split(".")[2:]) or claim.id
    mixed = family(claim) == CLIENTS and claim.premise.dropped
    return f"{claim.guarantee.name} in a mixed group" if mixed else claim.guarantee.name


def pair(claim: Claim) -> str:
    """``Java, Rust with Go``: whose strategies a claim is about."""
    return " with ".join(", ".join(clients(shippers(strategy))) for strategy in claim.strategies)


def about(claim: Claim) -> str:
    """What the guarantee of a claim looks at, in a sentence."""
    found = family(claim)
    if claim.premise.strategies > 1 and not claim.premise.dropped:
        first, second = map(run_by, claim.strategies)
        return f"One group run by {first}, compared with the same group run by {second}."
    if found == MOVEMENT:
        return "A group after one consumer has joined, compared with the same group before. Read backwards, it leaves."
    if found == TOPICS:
        return "All topics of a group together, at one moment."
    if found == CLIENTS:
        return f"One group in which some consumers run one client and some another: {pair(claim)}."
    return "One group and one topic, at one moment."


def over(claim: Claim) -> str:
    """What of the topic the claim speaks of, where it does not speak of every queue."""
    return next((one.over for one in claim.strategies if one.over and one.over in claim.sentence), "")


def limits(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Whose claims do not speak of every queue: ``MACHINE_ROOM (Java): over the queues of the rooms in ...``."""
    found = [(one, over(claim)) for claim in claims for one in claim.strategies if over(claim) and one.over]
    return tuple(dict.fromkeys(f"{short_label(one)}: {limit}" for one, limit in found))


def in_order(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Family by family, row by row, as each first appears; rows that share their first name stand together."""
    found = families(claims)
    firsts = list(dict.fromkeys((family(claim), row(claim)[0]) for claim in claims))
    rows = list(dict.fromkeys((family(claim), row(claim)) for claim in claims))

    def place(claim: Claim) -> tuple[int, int, int]:
        kind, names = family(claim), row(claim)
        return found.index(kind), firsts.index((kind, names[0])), rows.index((kind, names))

    return tuple(sorted(claims, key=place))
