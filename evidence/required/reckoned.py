"""All required amounts of work of one run."""

import gzip
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.digests import digests
from rebalance_proofs.evidence.required import cases
from rebalance_proofs.evidence.required.answers import answers
from rebalance_proofs.evidence.required.cases import departures
from rebalance_proofs.evidence.required.sweeps import at_sizes, joins, sweeps
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.results import ClaimResult, ObligationResult
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from rebalance_proofs.proofs.transition.search import RENEWED
from rebalance_proofs.recorded.files import Conformance, read_pinned
from rebalance_proofs.report.evidence import Required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.explorer.recorded import read
from rebalance_proofs.spark_enum.explorer.store import EXPLORED
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.kinds import (
    CALLS,
    FARTHER,
    GONE,
    LETTERS,
    MODELS,
    PROMISES,
    SINGLES,
    TABLES,
)

# Required comparisons of code, terms and solver models of a rebalance.
# There is one of each kind for each client in each mode of use.

Key = tuple[str, str, str, int]
"""A comparison: (kind, client, mode of use, number of queues)."""


def transition_claims(asked: Asked) -> list[Claim]:
    """Return the requested claims about rebalances."""
    return [claim for claim in asked.claims if claim.kind == Scenario.kind]


def transitions(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required number of comparisons, and of cases in each comparison."""
    clients = dict.fromkeys(client for claim in transition_claims(asked) for client in claim.subjects)
    compared = found.of(SINGLES, CALLS, TABLES, MODELS)
    there = {(row.kind, row.subject, row.setting, row.bounds["queues"]): row for row in compared}
    letters = {(row.subject, row.setting): row for row in found.of(LETTERS)}
    wanted: dict[Key, int] = {}
    for client in clients:
        wanted[SINGLES, client.name, "", 1] = cases.singles(client, bounds.transitions)
        for mode in client.modes if client not in VARIANTS else ():
            known = letters.get((client.name, mode.name))
            expected = cases.of_mode(client, mode)
            yield Required(
                f"{client.name} {mode.name}: cases of the equivalence classes", expected, known.counted if known else 0
            )
            if known:
                wanted |= _of_mode(client, mode, known, bounds.transitions)
    yield Required("comparisons of transitions", len(wanted), sum(key in there for key in wanted))
    for key, expected in wanted.items():
        if key in there:
            yield Required(f"{there[key].name}: cases", expected, there[key].counted)


def _of_mode(client: Client, mode: Mode, letters: Finding, bounds: TransitionBounds) -> dict[Key, int]:
    """Return the numbers of cases in one mode of use.

    With several queues, they are powers of the number of equivalence classes (``letters``) of a queue's states and
    answers. The models are counted by exceptions of other queues.
    """
    ways = cases.thrown(client, mode)
    bound = bounds.letters(calm=ways == 1)
    name = client.name, mode.name
    behaviours, outcomes = letters.numbers["behaviours"], letters.numbers["outcomes"]
    return {
        (CALLS, *name, 2): 2 * min(bound.pairs, behaviours) ** 2,
        (CALLS, *name, 3): min(bound.triples, behaviours) ** 3,
        (TABLES, *name, 2): min(bound.table_pairs, outcomes) ** 2,
        (TABLES, *name, 3): min(bound.table_triples, outcomes) ** 3,
        (MODELS, *name, 1): ways * min(bounds.models, outcomes),
    }


# Required numbers of cases for claims about rebalances, by claim and mode of use.
# The cases deviate little from a rebalance without failures.


def promised(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required number of cases of every claim, in every mode of its scenario."""
    claims = transition_claims(asked)
    there = {row.name: row for row in found.of(PROMISES)}
    yield Required("checked claims about transitions", len(claims), sum(claim.id in there for claim in claims))
    for claim in claims:
        if claim.id in there:
            required, gone = _cases(claim, there[claim.id], bounds.transitions)
            yield Required(f"{claim.id}: cases checked", required, gone)


def _cases(claim: Claim, row: Finding, bounds: TransitionBounds) -> tuple[int, int]:
    """Return the required and the checked number of cases, up to the requested depths.

    The depth is the number of deviations from default values. If a claim expected to fail does not fail in some mode,
    deeper cases are required there, too. In modes where it fails, the number of deeper cases does not matter.
    """
    required, gone = 0, sum(number for name, number in row.numbers.items() if name.startswith(GONE))
    for mode in claim.world.modes:
        farther = claim.expected is Verdict.REFUTED and not row.broken.get(mode.name)
        if claim.expected is Verdict.REFUTED and not farther:
            gone -= row.numbers.get(f"{FARTHER}, {mode.name}", 0)
        for queues, depth in enumerate(bounds.depths, 1):
            most = max(depth, bounds.deepest) if farther else depth
            required += sum(departures(_others(claim, mode, queues), most))
    return required, gone


def _others(claim: Claim, mode: Mode, queues: int) -> list[int]:
    """Return, for each unknown, its number of values other than the default."""
    scenario, client = claim.world, claim.subjects[0]
    if scenario.action is Action.RENEWS:
        return [len(known.values) - 1 for _, known in scenario.unknowns(queues) if known.name in RENEWED]
    return [len(client.values(known, mode.own_store)) - 1 for _, known in scenario.unknowns(queues)]


# Check that no proof about a state machine omits an action of the machine.

JOINED = "happens"
"""Name of an obligation about all actions at once; its sentence names each action."""


def actions(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required proofs: one for each possible action, for each inductive claim.

    A claim is inductive if an invariant of a state machine proves it.
    """
    found = {result.claim.id: result for result in results}
    proved = [claim for claim in asked.claims if claim.expected is Verdict.PROVED and claim.id in found]
    pairs = [(found[claim.id], name) for claim in proved for name in declared(claim)]
    if pairs:
        there = sum(_asked(result, name) for result, name in pairs)
        yield Required("actions of machines covered by invariant proofs", len(pairs), there)


def declared(claim: Claim) -> list[str]:
    """Return the actions that the claim's assumptions permit.

    Empty if no invariant proves the claim.
    """
    if not isinstance(claim.guarantee, ProvedByInduction):
        return []
    machine = claim.guarantee.induction(claim.world).configuration.machine
    known, excluded = machine.actions.items(), claim.world.excludes
    return [name for name, action in known if action.has(claim.subjects[0]) and name not in excluded]


def _asked(result: ClaimResult, name: str) -> bool:
    return any(
        step.name == name or (step.name == JOINED and f"`{name}`" in step.sentence)
        for step in result.obligations
        if step.proved
    )


# Required numbers of lines compared in each file of recorded results.
# The number must be that of the file, and at least the pinned number.

ENDINGS = (".tsv", ".jsonl", ".tsv.gz", ".jsonl.gz")


def rows(directory: Path, found: Conformance) -> Iterator[Required]:
    """Yield the required number of lines for every file that exists or has a pinned number.

    Lines that start with ``#`` do not count.
    """
    files = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*") if path.is_file()}
    files = {name: path for name, path in files.items() if name.endswith(ENDINGS)}
    pinned = {name: numbers.rows for name, numbers in read_pinned(directory).items()}
    reports = {report.file: report for report in found.files}
    required = {_plain(name) for name in files} | pinned.keys()
    yield Required("files of recorded results", len(required), len(required & {_plain(name) for name in reports}))
    for name in sorted(files.keys() & reports.keys()):
        report = reports[name]
        if not (report.malformed or report.lacking):  # these already describe the file's defect
            yield Required(f"rows of {name}", max(_lines(files[name]), pinned.get(_plain(name), 0)), report.rows)


def _plain(name: str) -> str:
    return name.removesuffix(".gz")


def _lines(path: Path) -> int:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    # every line counts, even an empty one, except for an empty rest after the last line break
    ends = content.count(b"\n") + (0 if content.endswith(b"\n") or not content else 1)
    headers = content.count(b"\n#") + content.startswith(b"#")
    return ends - headers


# Required checks of each obligation: mutation test, vacuity check, lemmas at numbers.

NAMED = ("; Euclid's division of the named quotients", "; instances of lemma.monotone for the named products")
"""Comment lines in SMT-LIB texts, above the formulas that linearization adds."""


def steps(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required number of checks, from the ledger's obligations and lemmas.

    An obligation that several claims share counts for each of them.
    """
    found = {result.claim.id: result for result in results}
    proved = [claim for claim in asked.claims if claim.expected is Verdict.PROVED and claim.id in found]
    stated = [(found[claim.id], step) for claim in proved for step in (*claim.obligations, *claim.lemmas)]
    there = [(step, _of(result, step.name)) for result, step in stated]
    yield Required("obligations with a passed mutation test", len(there), sum(_bites(one) for _, one in there))
    numbered = [one for step, one in there if not step.abstract]
    if asked.width:
        yield Required("obligations with a passed vacuity check", len(numbered), sum(_wide(one) for one in numbered))
    named = [one for _, one in there if one and any(line in one.proof.text for line in NAMED)]
    tried = sum(one.instances.tried > 0 and not one.instances.false for one in named)
    yield Required("texts with named products or quotients, evaluated with numbers", len(named), tried)


def _of(result: ClaimResult, name: str) -> ObligationResult | None:
    return next((step for step in result.obligations if step.name == name), None)


def _bites(step: ObligationResult | None) -> bool:
    return bool(step and step.teeth and step.teeth.shown)


def _wide(step: ObligationResult | None) -> bool:
    return bool(step and step.width and step.width.wide)


# Required explorations: each recorded group of the claims, with its number of states.


def groups(asked: Asked, bounds: Bounds, found: Enumerated) -> Iterator[Required]:
    """Yield the required explorations from the recorded file alone.

    A group that is missing in the tables of groups is therefore noticed.
    """
    ids = {claim.id for claim in asked.claims}
    recorded = {**read("quick"), **(read("larger") if bounds.larger else {})}
    wanted = {name: group for name, group in recorded.items() if ids & {*group.claims}}
    there = {row.name: row for row in found.of(EXPLORED)}
    yield Required("explored groups", len(wanted), len(wanted.keys() & there.keys()))
    for name, group in wanted.items():
        if name in there:
            yield Required(f"{name}: states", group.states, there[name].counted)


# Check of the self-tests themselves: a broken comparison must not pass a self-test.


def _raises() -> tuple[str, ...]:
    raise ValueError("no comparer")


UNNOTICED = (
    Trial("it reports nothing", tuple, tuple),
    Trial("it always reports something", lambda: ("no.",), lambda: ("no.",)),
    Trial("it raises", tuple, _raises),
)
"""Self-tests with broken comparisons, which must fail."""


def trials() -> Iterator[Required]:
    """Yield the check as required work, because no self-test could check the self-tests."""
    found = sum(not tried(trial).noticed for trial in UNNOTICED)
    yield Required("self-tests of broken comparison code that report no success", len(UNNOTICED), found)


def required(
    asked: Asked,
    claims: Sequence[ClaimResult] = (),
    enumerated: Enumerated | None = None,
    conformance: Conformance | None = None,
) -> tuple[Required, ...]:
    """Return the required and the found amounts of work of a run.

    Parts without any result are included.
    """
    return tuple(_required(asked, claims, enumerated, conformance))


def lacked_by(asked: Asked, claims: Sequence[ClaimResult], those: Collection[str]) -> tuple[str, ...]:
    """Return the names of required answer counts that only these claims fail to reach."""
    others = replace(asked, claims=tuple(claim for claim in asked.claims if claim.id not in those))
    left = {work.name: work for work in _answered(others, claims)}
    return tuple(work.name for work in _answered(asked, claims) if not work.ok and left[work.name].ok)


def _answered(asked: Asked, claims: Sequence[ClaimResult]) -> Iterator[Required]:
    if asked.solvers:
        yield from answers(asked, claims)
        yield from steps(asked, claims)
        yield from actions(asked, claims)


def _required(
    asked: Asked, claims: Sequence[ClaimResult], enumerated: Enumerated | None, conformance: Conformance | None
) -> Iterator[Required]:
    yield from trials()
    yield from _answered(asked, claims)
    if asked.bounds:
        found = enumerated or Enumerated("", "")
        for part in (sweeps, at_sizes, joins, transitions, promised, groups):
            yield from part(asked, asked.bounds, found)
        yield from digests(asked.bounds, found)
    if asked.vectors:
        yield from rows(asked.vectors, conformance or Conformance(()))
