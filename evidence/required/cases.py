"""Closed forms for the numbers of cases of one queue: products over the variables.

A case has a value for each variable: states of the process queue, settings and answers.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import prod
from types import SimpleNamespace

from rebalance_proofs.evidence.asked import Asked
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.solver import Solver, sat
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.clients import VARIANTS, told_apart
from rebalance_proofs.model.transition.step import NOTHING_THROWN
from rebalance_proofs.model.transition.variables import CONSUMER, ENTRY, MODE, QUEUE, ROUND, Variable
from rebalance_proofs.model.transition.view import asked_of, entry_of
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.transition.scenario import Action, Scenario
from rebalance_proofs.proofs.transition.search import RENEWED
from rebalance_proofs.report.failures import Required
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.results import Enumerated, Finding
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds
from rebalance_proofs.spark_enum.transition.space import (
    CALLS,
    FARTHER,
    GONE,
    LETTERS,
    MODELS,
    PROMISES,
    SINGLES,
    TABLES,
)

EVERYTHING = (*MODE, *CONSUMER, *QUEUE, *ROUND)

ONE_ENTRY = {variable.name: 1 for variable in ENTRY}
"""Variable -> its number of values if the process queue's state is fixed."""
ORDINARY = {"where": 1, "retry": 1}
"""Variable -> its number of values for an ordinary topic, consumed from the last offset."""
USED = {variable.name: 1 for variable in MODE}
"""Variable -> its number of values for one mode of use of the client."""


def product(client: Client, own_store: int, taken: Mapping[str, int]) -> int:
    """Return the number of cases of one queue for the client.

    A variable has as many values as ``taken`` specifies, otherwise all values that the client distinguishes.
    """

    def count(variable: Variable) -> int:
        values = len(client.values(variable, own_store))
        return values if values == 1 else taken.get(variable.name, values)

    return prod(map(count, EVERYTHING))


def of_mode(client: Client, mode: Mode) -> int:
    """Return the number of cases of one queue in one mode of use.

    A case has a state, membership in mqSet, and answers. Cases without and with a process queue count.
    """
    ordinary = USED | ORDINARY | {"present": 1}
    return product(client, mode.own_store, ordinary | ONE_ENTRY) + product(client, mode.own_store, ordinary)


def singles(client: Client, bounds: TransitionBounds) -> int:
    """Return the number of cases of one queue in which code and terms must be compared."""
    if client in VARIANTS or not bounds.every_case:
        return sum(_real(client, mode) for mode in told_apart(client))
    if not any(mode.own_store for mode in client.modes):
        return _every(client, 0, {"own_store": 1})
    shipped = sum(_every(client, 0, USED, mode.kind) for mode in client.modes if not mode.own_store)
    return shipped + _every(client, 1, {"own_store": 1})


def _real(client: Client, mode: Mode) -> int:
    """Return the number of cases without a process queue, plus those with a live, locked one."""
    absent = product(client, mode.own_store, USED | ONE_ENTRY | {"present": 1})
    plain = USED | ORDINARY | {"present": 1, "dropped": 1, "locked": 1}
    return absent + product(client, mode.own_store, plain) + _at_limits(client, mode.own_store, USED)


def _at_limits(client: Client, own_store: int, used: Mapping[str, int]) -> int:
    """Return the number of cases in which an age is exactly at its limit.

    These are the oldest allowed pull of a queue that stays, and the oldest allowed lock of any queue.
    """
    held = {**used, **ORDINARY, "present": 1, "mine": 1, "locked": 1, "stored": 1, "queried": 1}
    pull = {**held, "pull_age": 1, "dropped": 1, "in_set": 1, "lock": 1}
    lock = {**held, "lock_age": 1}
    return product(client, own_store, pull) + ("lock_age" not in client.ignores) * product(client, own_store, lock)


def _every(client: Client, own_store: int, used: Mapping[str, int], kind: int = 0) -> int:
    """Return the number of cases with and without a process queue.

    For a push consumer, cases with an overdue process queue on topics that are not ``ORDINARY`` are added.
    """
    found = product(client, own_store, {**used, **ORDINARY, "present": 1})
    found += product(client, own_store, {**used, **ONE_ENTRY, "present": 1})
    if kind == 0:
        open_ = {name: 1 for name in ONE_ENTRY if name not in ("consume_lock", "lock_age")}
        overdue = {**used, **open_, "kind": 1, "present": 1, "mine": 1, "in_set": 1}
        found += product(client, own_store, {**overdue, "where": 3})
        found += product(client, own_store, {**overdue, "where": 1, "retry": 1})
    return found + _at_limits(client, own_store, used)


@cache
def thrown(client: Client, mode: Mode) -> int:
    """Return the number of ways in which other queues can cause exceptions.

    It follows from the client's terms; see ``columns.OTHERS``. The ways are: no exception; an exception while a queue
    is added, after this queue; an exception while a queue is removed, before this queue is removed or added.
    """
    scenario = Scenario(modes=(mode,))
    v = SimpleNamespace(**{name: smt.Int(name) for name in scenario.names(1)})
    step = client.encoding.step(entry_of(v), asked_of(v), NOTHING_THROWN)

    def can_be(condition: smt.BoolTerm) -> bool:
        solver = Solver()
        solver.add(*scenario.given(v, 1).values(), condition)
        return solver.check() == sat

    adding, removing = can_be(step.adding_throws), can_be(step.removing_throws)
    return 1 + adding + 2 * removing


def departures(counts: Iterable[int], most: int) -> list[int]:
    """Return the numbers of cases with 0, 1, ... ``most`` deviations from default values.

    ``counts`` has, for each unknown, its number of values other than the default. The results are the elementary
    symmetric polynomials of the counts, from their power sums by Newton's identities.
    """
    counts = list(counts)
    found = [1]
    for degree in range(1, most + 1):
        terms = ((-1) ** (i - 1) * found[degree - i] * sum(n**i for n in counts) for i in range(1, degree + 1))
        found.append(sum(terms) // degree)
    return found


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
        wanted[SINGLES, client.name, "", 1] = singles(client, bounds.transitions)
        for mode in client.modes if client not in VARIANTS else ():
            known = letters.get((client.name, mode.name))
            expected = of_mode(client, mode)
            yield Required(
                f"{client.name} {mode.name}: cases of the equivalence classes", expected, known.counted if known else 0
            )
            if known:
                wanted |= _compared(client, mode, known, bounds.transitions)
    yield Required("comparisons of transitions", len(wanted), sum(key in there for key in wanted))
    for key, expected in wanted.items():
        if key in there:
            yield Required(f"{there[key].name}: cases", expected, there[key].counted)


def _compared(client: Client, mode: Mode, letters: Finding, bounds: TransitionBounds) -> dict[Key, int]:
    """Return the numbers of cases in one mode of use.

    With several queues, they are powers of the number of equivalence classes (``letters``) of a queue's states and
    answers. The models are counted by exceptions of other queues.
    """
    ways = thrown(client, mode)
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
