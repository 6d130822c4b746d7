"""Table layout of claims about transitions: guarantees and modes in rows, clients in columns."""

from collections.abc import Sequence

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.shown import Cells, Row

TRANSITIONS = Family(
    "transition",
    "What a rebalance does to a client's queues",
    "A rebalance computes the client's queues of a topic (mqSet). The client then removes process queues from its "
    "table and adds new ones. *Built-in store* means the default offset store, which logs failures in Java and throws "
    "nothing. A claim that does not name the offset store also covers a custom store, which may throw.",
    ("Guarantee", "When", "Used as"),
    spelled_out=True,
    table="Columns are clients; rows are ways to use them.",
)
OTHERS = Family(
    "older",
    "Other versions of Java",
    "Where the guarantees of 4.9.0 to 4.9.7 differ from those of 4.9.8, and those of 5.5.0 from those of 5.2 to 5.4. "
    "Their source was read.",
    ("Guarantee", "When", "Used as"),
    spelled_out=True,
)
VERSIONS = Family(
    "versions",
    "Two versions of a client",
    "One rebalance of the same table, run by two versions of a client.",
    ("Versions", "When", "Used as"),
    spelled_out=True,
)
FAMILIES = (TRANSITIONS, OTHERS, VERSIONS)

ALWAYS, EVERYWHERE = "always", "anything"
SAME = "same table"


def family(claim: Claim) -> Family:
    """Return the claim's family (its table): two clients compared, another version, or one client."""
    if len(claim.subjects) > 1:
        return VERSIONS
    return OTHERS if claim.subjects[0] in VARIANTS else TRANSITIONS


def head(claim: Claim) -> str:
    """Return the text of the claim's first row name: the guarantee, or the two compared versions."""
    if len(claim.subjects) > 1:
        names = listing(client.rocketmq_name for client in claim.subjects)
        return names if claim.guarantee.name == "same" else f"{names}, locked or not"
    return f"{claim.guarantee.name}: {claim.guarantee.sentence}"


def when(scenario: Scenario) -> str:
    """Return the scenario's condition: ``always``, ``if unlocks arrive``."""
    if scenario.foreign:
        return "even if mqSet holds some of them"
    if scenario.when:
        return f"if {scenario.when}"
    return f"with {', '.join(scenario.assumes)}" if scenario.assumes else ALWAYS


def used(scenario: Scenario) -> str:
    """Return the scenario's modes of use: ``anything``, ``push orderly``, ``anything but push orderly``."""
    return scenario.used or EVERYWHERE


def row(claim: Claim) -> Row:
    """Return the claim's row names: (guarantee, condition, modes of use)."""
    return head(claim), when(claim.world), used(claim.world)


def column(claim: Claim) -> str:
    """Return the claim's column: the client's name, or one fixed name for compared versions."""
    return claim.subjects[0].rocketmq_name if family(claim) != VERSIONS else SAME


def cells(claims: Sequence[Claim]) -> Cells:
    """Return the cells of the table.

    Modes share a row if every client has the same claims about them. A claim fills a cell in each row with one of its
    modes. A claim proved without a condition also fills the rows of the same guarantee under conditions.
    """
    found: dict[tuple[Row, str], list[Claim]] = {}
    for promised, alike in grouped(claims, head).items():
        for condition, own in grouped(alike, lambda claim: when(claim.world)).items():
            strong = [claim for claim in alike if _covers(claim, own[0]) and not any(_meet(claim, o) for o in own)]
            for ways, shared in _rows([*own, *strong]):
                for claim in shared if any(claim in own for claim in shared) else ():
                    found.setdefault(((promised, condition, ways), column(claim)), []).append(claim)
    return found


def _covers(strong: Claim, weak: Claim) -> bool:
    """Check whether ``strong`` is proved without a condition and ``weak`` has one, in the same scenario.

    Clients and modes may differ.
    """
    plain = strong.expected is Verdict.PROVED and when(strong.world) == ALWAYS
    return plain and when(weak.world) != ALWAYS and _asked(strong.world) == _asked(weak.world)


def _meet(one: Claim, other: Claim) -> bool:
    """Check whether both claims are about the same client in a common mode."""
    return column(one) == column(other) and bool({*one.world.modes} & {*other.world.modes})


def _asked(scenario: Scenario) -> tuple[int | bool | Action, ...]:
    return scenario.rounds, scenario.foreign, scenario.action, scenario.apart


def _rows(claims: Sequence[Claim]) -> list[tuple[str, list[Claim]]]:
    """Return (modes of use in words, the claims about them) for each row."""
    groups: list[tuple[list[Mode], dict[str, set[str]]]] = []
    for way in dict.fromkeys(mode for claim in claims for mode in claim.world.modes):
        known = {column(claim): set[str]() for claim in claims if way in _ways(claim)}
        for claim in claims:
            if way in claim.world.modes:
                known.setdefault(column(claim), set()).add(claim.id)
        namesakes = [together for together, _ in groups if way.name in [other.name for other in together]]
        fitting = (
            (together, said)
            for together, said in groups
            if all(said.get(client, ids) == ids for client, ids in known.items())
            and all(other is together for other in namesakes)
        )
        together, said = next(fitting, ([], {}))
        if not together:
            groups.append((together, said))
        together.append(way)
        said.update(known)
    found = [
        (together, [claim for claim in claims if claim.id in set().union(*said.values())]) for together, said in groups
    ]
    names = [together[0].name if len(together) == 1 else _narrowest(shared) for together, shared in found]
    return [
        (name if names.count(name) == 1 else listing(way.name for way in together), shared)
        for name, (together, shared) in zip(names, found, strict=True)
    ]


def _ways(claim: Claim) -> set[Mode]:
    """Return the modes of use that all of the claim's clients have."""
    return set.intersection(*(set(client.modes) for client in claim.subjects))


def _narrowest(claims: Sequence[Claim]) -> str:
    named = [claim.world for claim in claims if claim.world.used]
    return used(min(named, key=lambda scenario: len(scenario.modes))) if named else EVERYWHERE
