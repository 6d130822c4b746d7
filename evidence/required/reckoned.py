"""All required amounts of work of one run."""

import gzip
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.evidence.self_tests.trial import Trial, tried
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.machine.kind import ProvedByInduction
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.results import ClaimResult, MutantResult, ObligationResult
from rebalance_proofs.proofs.solvers import Outcome
from rebalance_proofs.recorded.files import Conformance, read_pinned
from rebalance_proofs.report.failures import Required, SelfTest
from rebalance_proofs.spark_enum.results import Enumerated

# Required answers of each solver: about obligations, mutants and counterexamples.

MONOTONE = "lemma.monotone"
"""Name of the lemma whose instances some obligations' texts have.

The lemma must be proved in addition to such an obligation.
"""


def answers(asked: Asked, results: Sequence[ClaimResult]) -> Iterator[Required]:
    """Yield the required number of answers of each solver.

    It follows from the ledger's obligations and the mutants.
    """
    found = {result.claim.id: result for result in results}
    there = [claim for claim in asked.claims if claim.id in found]
    yield Required("judged claims", len(asked.claims), len(there))
    proved = [(claim, found[claim.id]) for claim in there if claim.expected is Verdict.PROVED]
    refuted = [found[claim.id] for claim in there if claim.expected is Verdict.REFUTED]
    obligations = [(obligations_of(*pair), pair[1]) for pair in proved]
    pinned = [(claim, result, mutant) for claim, result in proved for mutant in pinned_mutants(claim)]
    yield Required(
        "killed mutants of proved claims",
        len(pinned),
        sum(any(_is(one, mutant) and one.killed for one in result.mutants) for _, result, mutant in pinned),
    )
    for solver in asked.solvers:
        yield Required(
            f"{solver}: proved obligations of proved claims (unsat)",
            sum(len(names) for names, _ in obligations),
            sum(_proved(name, result, solver) for names, result in obligations for name in names),
        )
        yield Required(
            f"{solver}: obligations checked on mutants",
            sum(len(claim.obligations) for claim, _, _ in pinned),
            sum(_tried(claim, result, mutant, solver) for claim, result, mutant in pinned),
        )
        yield Required(
            f"{solver}: mutants shown to be wrong (sat)",
            len(pinned),
            sum(
                any(_is(one, mutant) and _wrong(one, solver) for one in result.mutants) for _, result, mutant in pinned
            ),
        )
        yield Required(f"{solver}: counterexamples (sat)", len(refuted), sum(_refuted(one, solver) for one in refuted))


def pinned_mutants(claim: Claim) -> list[Mutant]:
    """Return the mutants that the claim must reject.

    They name the claim's guarantee (with or without the claim's variant), or the claim names them.
    """
    return [
        mutant
        for mutant in claim.subjects[0].mutants
        if mutant.breaks == claim.guarantee.name
        or mutant.breaks == f"{claim.guarantee.name}.{claim.variant}"
        or mutant.name in claim.notices
    ]


def obligations_of(claim: Claim, result: ClaimResult) -> list[str]:
    """Return the names of all obligations and lemmas that must be proved for the claim."""
    names = [step.name for step in (*claim.obligations, *claim.lemmas)]
    used = any(MONOTONE in step.proof.text for step in result.obligations)
    return [*names, *([MONOTONE] if used else [])]


def _said(question: Question | None, solver: str, *outcomes: Outcome) -> bool:
    answers = question.answers if question else ()
    return any(answer.solver == solver and answer.outcome in outcomes for answer in answers)


def _proved(name: str, result: ClaimResult, solver: str) -> bool:
    return any(step.name == name and _said(step.proof, solver, Outcome.UNSAT) for step in result.obligations)


def _is(found: MutantResult, mutant: Mutant) -> bool:
    return (found.name, found.sentence) == (mutant.name, mutant.sentence)


def _tried(claim: Claim, result: ClaimResult, mutant: Mutant, solver: str) -> int:
    """Return how many of the claim's obligations the solver decided for the mutant."""
    attempts = [attempt for found in result.mutants if _is(found, mutant) for attempt in found.attempts]
    names = {attempt.name for attempt in attempts if _said(attempt, solver, Outcome.SAT, Outcome.UNSAT)}
    return sum(step.name in names for step in claim.obligations)


def _wrong(found: MutantResult, solver: str) -> bool:
    return _said(found.violation, solver, Outcome.SAT)


def _refuted(result: ClaimResult, solver: str) -> bool:
    asked: Iterable[Question] = result.search.questions if result.search else ()
    return any(_said(question, solver, Outcome.SAT) for question in asked)


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


# Required numbers of self-tests of a run, computed apart from the loop that creates them.

ALWAYS = {"records": 10}
ANSWERS = {"solvers": 6}
PROOFS = {"verdicts": 13, "evaluated": 5}
ENUMERATION = {
    "findings": 13,
    "positions": 4,
    "formulas": 10,
    "sizes": 3,
    "singles": 5,
    "calls": 4,
    "tables": 5,
    "models": 6,
    "promises": 5,
    "groups": 5,
}
"""Name of a comparison in an enumeration -> its number of self-tests.

The names of the self-tests begin with the name of the comparison.
"""
ROWS = 3
"""Number of self-tests of the comparison with recorded results, besides one for each file."""


def comparers(
    asked: Asked,
    tests: Sequence[SelfTest],
    claims: Sequence[ClaimResult] = (),
    conformance: Conformance | None = None,
) -> Iterator[Required]:
    """Yield the required numbers of self-tests.

    They follow from the request, the tried mutants, and the files of recorded results. If a file has disagreements,
    the run fails, and the files of its format have no self-tests.
    """
    found = Counter(test.name.partition(":")[0] for test in tests)
    wanted = dict(ALWAYS)
    if asked.solvers or asked.bounds:
        wanted |= ANSWERS
    if asked.solvers:
        wanted |= PROOFS
    if asked.bounds:
        wanted |= ENUMERATION
    for comparer, many in wanted.items():
        yield Required(f"self-tests of {comparer}", many, found[comparer])
    if asked.solvers:
        mutants = sum(len(result.mutants) for result in claims)
        yield Required(
            "self-tests of violations", mutants, sum(test.name.startswith("violation of ") for test in tests)
        )
    if asked.vectors and conformance and conformance.green:
        files = sum(report.checks > 0 for report in conformance.files)
        yield Required("self-tests of vectors", ROWS + files, found["vectors"])
    elif asked.vectors:
        yield Required("recorded results have self-tests", "yes", "yes" if found["vectors"] else "no")


# All required amounts of work.


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
        # These load the enumerations of all kinds.
        from rebalance_proofs.evidence.digests import digests
        from rebalance_proofs.evidence.required.cases import promised, transitions
        from rebalance_proofs.evidence.required.sweeps import at_sizes, explorations, joins, sweeps

        found = enumerated or Enumerated("", "")
        for part in (sweeps, at_sizes, joins, transitions, promised, explorations):
            yield from part(asked, asked.bounds, found)
        yield from digests(asked.bounds, found)
    if asked.vectors:
        yield from rows(asked.vectors, conformance or Conformance(()))
