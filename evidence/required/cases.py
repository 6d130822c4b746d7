"""Closed forms for the numbers of cases of one queue: products over the variables.

A case has a value for each variable: states of the process queue, settings and answers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.proofs.transition.scenario import Scenario
from rebalance_proofs.recorded.files import Conformance
from rebalance_proofs.report.evidence import Required, SelfTest
from rebalance_proofs.spark_enum.transition.bounds import TransitionBounds

# Required numbers of self-tests of a run, computed apart from the loop that creates them.

ALWAYS = {"records": 23}
ANSWERS = {"solvers": 6}
PROOFS = {"verdicts": 13, "evaluated": 5}
ENUMERATION = {
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
