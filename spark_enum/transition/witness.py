"""The enumeration for transition claims, and contradictions between results and claims."""

from collections.abc import Iterator, Sequence

from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.check import Run
from rebalance_proofs.spark_enum.jobs import findings
from rebalance_proofs.spark_enum.kinds import Kind
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import LetterBounds, TransitionBounds
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.columns import Alphabet
from rebalance_proofs.spark_enum.transition.columns import letters as letters_of
from rebalance_proofs.spark_enum.transition.laboratory import Laboratory
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.space import PROMISES, every_case, real_cases
from rebalance_proofs.spark_enum.transition.tables import Tables
from rebalance_proofs.spark_enum.transition.trials import Singles, promises

# All comparisons of client code, compiled formulas and solver models, in a few Spark jobs.

BEHAVIOURS, OUTCOMES = 2, 3
"""Number of fields of ``Alphabet`` whose letters are used; see ``Alphabet.at_most``."""

NOBODY = 0
"""Index in ``columns.OTHERS`` if no other queue causes an exception."""

JOBS = 5
"""Number of Spark jobs that ``transitions`` runs."""


def transitions(run: Run, clients: Sequence[Client], bounds: TransitionBounds) -> Iterator[tuple[Finding, ...]]:
    """Make all comparisons for every client, and yield the findings of each job when it is done.

    For a variant of another client, only single queues are compared. ``run`` does checks as one job.
    """
    checks = [singles(client, bounds).check() for client in clients]
    yield findings(checks, run(checks))
    used = [(client, mode) for client in clients if client not in VARIANTS for mode in client.modes]
    checks = [letters_of(*use) for use in used]
    found = run(checks)
    yield findings(checks, found)
    letters = [(*use, Alphabet(**totals.kept)) for use, totals in zip(used, found, strict=True)]
    for made in (calls, tables, models):
        checks = [cases.check() for known in letters for cases in made(*known, bounds)]
        yield findings(checks, run(checks))


def singles(client: Client, bounds: TransitionBounds) -> Singles:
    """Return the comparison of client code with formulas for one queue.

    For a variant of a client, it covers only the modes in which its code differs from the adjacent version.
    """
    space = every_case(client) if bounds.every_case and client not in VARIANTS else real_cases(client)
    return Singles(client, space)


def calls(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Calls]:
    """Return the comparisons of calls with two and three queues with calls for each queue alone."""
    bound = _of_mode(client, mode, bounds)
    pairs, triples = letters.at_most(bound.pairs, BEHAVIOURS), letters.at_most(bound.triples, BEHAVIOURS)
    return [
        Calls(client, mode, pairs, 2, ways=2),
        Calls(client, mode, triples, 3),
    ]


def tables(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Tables]:
    """Return comparisons of formulas for two and three queues with client code for one queue."""
    bound = _of_mode(client, mode, bounds)
    counts = ((2, bound.table_pairs), (3, bound.table_triples))
    return [Tables(client, mode, letters.at_most(count, OUTCOMES), queues) for queues, count in counts]


def _of_mode(client: Client, mode: Mode, bounds: TransitionBounds) -> LetterBounds:
    return bounds.letters(calm=Laboratory(client, mode).others == (NOBODY,))


def models(client: Client, mode: Mode, letters: Alphabet, bounds: TransitionBounds) -> list[Relation]:
    """Return the comparison of solver models with client code for one queue."""
    return [Relation(client, mode, letters.at_most(bounds.models, OUTCOMES))]


def found(run: Run, claims: Sequence[Claim], bounds: Bounds, solver: str) -> Iterator[tuple[Finding, ...]]:
    """Compare client code, formulas and models; then test each claim on client code."""
    clients = tuple(dict.fromkeys(client for claim in claims for client in claim.subjects))
    yield from transitions(run, clients, bounds.transitions)
    yield promises(run, claims, bounds.transitions.depths, bounds.transitions.deepest)


def against(claim: Claim, enumerated: Enumerated, result: ClaimResult | None) -> list[str]:
    """Return contradictions between the enumeration and a claim, one sentence each.

    Empty for a claim that was not tested.
    """
    promised = enumerated.named(PROMISES, claim.id)
    if promised is None:
        return []
    said = [] if promised.equal else ["some case was missed or counted twice"]
    least = promised.least
    if claim.expected is Verdict.PROVED and least:
        said.append(f"broken with {_size(least.size)}. {least.sentence}")
    unbroken = [mode for mode, violations in promised.broken.items() if not violations]
    if claim.expected is Verdict.REFUTED and unbroken:
        said.append(f"expected to fail, but nothing near to a benign round breaks it for {' and '.join(unbroken)}")
    example = result.search.counterexample if result and result.search else None
    if example and least and least.size != (example.queues, example.departures):
        solver = _size((example.queues, example.departures))
        said.append(f"smallest counterexample: solver {solver}, enumerator {_size(least.size)}")
    return said


def _size(size: tuple[int, ...]) -> str:
    queues, departures = size
    return f"{queues} {'queue' if queues == 1 else 'queues'} and {departures} departures from a benign round"


TRANSITION = Kind(jobs=lambda claims, bounds: JOBS + 1, found=found, against=against)
