"""How reports show claims about transitions (rebalances): the functions that all reports use."""

from collections.abc import Sequence
from functools import cache
from operator import attrgetter

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Case, Variable, name_of
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.named import truth
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.scenario import Action, Scenario, numbers_of
from rebalance_proofs.proofs.transition.search import failing, plainest_violation, run_case
from rebalance_proofs.recorded.transition.java import JAVA
from rebalance_proofs.recorded.transition.node import NODE
from rebalance_proofs.recorded.transition.notation import REBALANCE
from rebalance_proofs.report.claims.runs import assumed
from rebalance_proofs.report.family import Family
from rebalance_proofs.report.shown import Cells, NotARun, Ran, Recipe, Replayable, Row, Shown, integer
from rebalance_proofs.report.text.english import case_size, listing
from rebalance_proofs.report.text.grouped import grouped
from rebalance_proofs.report.transition import document, played
from rebalance_proofs.report.transition.enumeration import TRANSITIONS_TOLD

# Table layout of claims about transitions: guarantees and modes in rows, clients in columns.

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


# Replay a counterexample about a rebalance from its trace.

QUEUES = 8
"""Largest number of queues in a trace that can be replayed."""


def _recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
    found: Rounds = example.group
    return {"mode": found.mode.name, "queues": example.queues, "unusual": _unusual(found.case)}, ()


def _unusual(case: Case) -> dict[str, int]:
    """Return input name -> value, for all inputs of the case that differ from their defaults."""
    every = {known.name: (known, case.consumer[known.name]) for known in CONSUMER}
    for place, numbers in enumerate(case.queues):
        every |= {name_of(known.name, place): (known, numbers[known.name]) for known in QUEUE}
    for number, round_ in enumerate(case.rounds):
        for place, asked in enumerate(round_):
            every |= {name_of(known.name, place, number): (known, asked[known.name]) for known in ROUND}
    return {name: value for name, (known, value) in every.items() if value != known.benign}


def _run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
    scenario, queues, unusual = claim.world, integer(whole, "queues", 1, QUEUES), whole.get("unusual")
    mode = next((one for one in scenario.modes if one.name == whole.get("mode")), None)
    if mode is None:
        raise NotARun(f"'mode' is not a mode of the claim: {', '.join(one.name for one in scenario.modes)}")
    known = dict(scenario.unknowns(queues))
    if not isinstance(unusual, dict) or not set(unusual) <= set(known):
        raise NotARun("'unusual' has an unknown name")
    for name, value in unusual.items():
        if type(value) is not int or abs(value) > 2**53 or not _can_be(known[name], value):
            raise NotARun(f"{name!r} cannot be {value!r}")
    case = numbers_of(unusual, queues, scenario.rounds)
    if not scenario.admits(case, mode):
        raise NotARun("the case is outside the claim's scope")
    rounds = run_case(scenario, claim.subjects[0], mode, case)
    sentence = claim.guarantee.violation(rounds) or ""
    return Ran(Counterexample(1, queues, (), rounds, sentence, case.departures))


def _can_be(known: Variable, value: int) -> bool:
    return all(map(truth, known.in_range(smt.IntVal(value))))


AGAIN = Replayable(_recipe, _run)


# Sentences that explain claims about transitions: the code that they cover, and their conditions.

DONE = {
    Action.UNSUBSCRIBES: "One rebalance after the user has unsubscribed",
    Action.RENEWS: "One renewal of all locks",
}
"""Display names of the actions other than a rebalance that claims are about."""


def about(claim: Claim) -> str:
    """Return the action, its number of rounds, and the clients whose code performs it."""
    observed = listing(
        f"{client.rocketmq_name} ({f'{client.observed} was run' if client.observed else 'read, not run'})"
        for client in claim.subjects
    )
    several = "Two rebalances, one after the other" if claim.world.rounds > 1 else "One rebalance"
    rounds = DONE.get(claim.world.action, several)
    whose = "in each consumer of a group" if claim.world.apart else "in one consumer"
    return f"{rounds}, {whose}, by the code of {observed}."


def given(claim: Claim) -> str:
    """Return the modes of use, and the assumptions on a second line."""
    ways = listing(way.name for way in claim.world.modes)
    return f"Used as: {ways}, in any state and with any answers that the assumptions allow.\n{assumed(claim)}"


def listed(claims: Sequence[Claim]) -> tuple[str, tuple[str, ...]]:
    """Return the guarantee as a heading, and client, mode and condition of each claim.

    A condition that all claims share is in the heading instead.
    """
    promised = head(claims[0]) + ("" if family(claims[0]) != VERSIONS else " end in the same table")
    conditions = {when(claim.world) for claim in claims}
    common = conditions.pop() if len(conditions) == 1 else ALWAYS
    return _joined([promised, common]), tuple(_sentence(claim, common) for claim in claims)


def _sentence(claim: Claim, common: str) -> str:
    whose = claim.subjects[0].rocketmq_name if family(claim) != VERSIONS else ""
    condition = when(claim.world)
    return _joined([whose, used(claim.world), "" if condition == common else condition]) or "in all modes"


def _joined(parts: Sequence[str]) -> str:
    return ", ".join(part for part in parts if part not in ("", ALWAYS, EVERYWHERE))


# Find claims that prove that a rebalance does the same in two clients.


def alike(claim: Claim) -> tuple[Claim, ...]:
    """Return claims by which a claim about one client also holds for another client.

    Empty if the claim is not about a rebalance.
    """
    return _alike() if claim.world.action is Action.REBALANCES else ()


@cache
def _alike() -> tuple[Claim, ...]:
    return tuple(
        claim
        for claim in LEDGER.of("transition")
        if len(claim.subjects) > 1 and claim.guarantee.name == "same"
        if claim.expected is Verdict.PROVED and not claim.world.name
    )


def smallest(claim: Claim) -> Counterexample:
    """Return the counterexample with the fewest queues, then the fewest values unlike the defaults.

    Raises ``LookupError`` if there is none within the bounds.
    """
    for queues in range(1, claim.world.most_queues + 1):
        found = plainest_violation(claim.guarantee, claim.world, claim.subjects[0], queues)
        if found:
            return found
    raise LookupError(f"{claim.id}: no counterexample with up to {claim.world.most_queues} queues")


def recordings(client: Client) -> dict[tuple[str, str], str]:
    """Return the client's recorded results: (client, part of the model) -> display name of the release.

    One release was recorded. According to their sources, other releases of its generation behave the same.
    """
    if client.observed in JAVA:
        return {(JAVA[client.observed].name, REBALANCE): f"Java {client.observed}"}
    ran = f"node{client.observed}"
    return {(NODE[ran].name, REBALANCE): f"ali-ons {client.observed}"} if ran in NODE else {}


TRANSITION = Shown(
    families=FAMILIES,
    family=family,
    row=row,
    column=column,
    cells=cells,
    about=about,
    given=given,
    listed=listed,
    label=attrgetter("rocketmq_name"),
    code=attrgetter("driver"),
    smallest=smallest,
    size=lambda example: case_size(example.queues, example.departures),
    lines=document.story,
    figure=played.drawn,
    document=document.document,
    types=document.TYPES,
    states=document.states,
    played=played.played,
    again=AGAIN,
    recorded=recordings,
    enumeration=TRANSITIONS_TOLD,
    alike=alike,
    further={"can throw or fail": lambda claim: failing(claim.world)},
)
