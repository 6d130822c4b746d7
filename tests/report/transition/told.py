"""Counterexamples of claims about transitions, made without a solver."""

from dataclasses import replace

from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.variables import CONSUMER, QUEUE, ROUND, Case
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.search import run_case
from rebalance_proofs.report.transition.document import story

Numbers = dict[str, int]


def claim(claim_id: str) -> Claim:
    """A claim of the ledger by its id."""
    (found,) = select([claim_id])
    return found


def case(queues: list[Numbers], rounds: list[list[Numbers]], consumer: Numbers | None = None) -> Case:
    """A case, given by its departures from the benign one."""

    def full(known, numbers: Numbers) -> Numbers:
        return {variable.name: variable.benign for variable in known} | numbers

    return Case(
        full(CONSUMER, consumer or {}),
        tuple(full(QUEUE, numbers) for numbers in queues),
        tuple(tuple(full(ROUND, numbers) for numbers in round_) for round_ in rounds),
    )


def example_of(found: Claim, given: Case, mode: Mode | None = None) -> Counterexample:
    """Result of the claim's first client in that case, violating or not."""
    rounds = run_case(found.world, found.subjects[0], mode or found.world.modes[0], given)
    said = found.guarantee.violation(rounds) or "it is so."
    return Counterexample(1, len(given.queues), (), rounds, said, given.departures)


FORCED = (
    "transition.java_v5_2.listener.push-orderly",
    case([{"pull_age": 120_001, "lock_age": 20_001, "consume_lock": 1}], [[{}]]),
)
GIVEN_BACK = "transition.java_v5_0.returns.own-store", case([{}], [[{"in_set": 0, "persist": 2}], [{}]])
UNPULLED = "transition.java_v5_0.pulls.push-own-store", case([{"present": 0}, {"present": 0}], [[{}, {"stored": -9}]])
VERSIONS = (
    "transition.java_v4_9+java_v5_0.same.own-store",
    case([{"present": 0}, {"present": 0}], [[{"stored": -9}, {}]]),
)
"""Claims, with cases that break them."""


def story_of(claim_id: str, given: Case, mode: Mode | None = None, **changes) -> tuple[str, ...]:
    """Story of a case; ``changes`` are made to the claim's scenario."""
    found = claim(claim_id)
    found = replace(found, world=replace(found.world, **changes))
    return story(found, example_of(found, given, mode))
