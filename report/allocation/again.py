"""Replay a counterexample group: rebuild it from its trace, and run the strategy again."""

from collections.abc import Sequence

from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.replayable import NotARun, Ran, Recipe, Replayable, integer

CONSUMERS, QUEUES = 64, 1024
"""Largest numbers of consumers and queues of a group that can be rebuilt from a trace."""


def _recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
    return {"consumers": example.consumers, "queues": example.queues, "digits": list(example.values)}, ()


def _run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
    n, q, digits = integer(whole, "consumers", 1, CONSUMERS), integer(whole, "queues", 1, QUEUES), whole.get("digits")
    radices = claim.world.radices(n, q)
    if not isinstance(digits, list) or len(digits) != len(radices):
        raise NotARun(f"'digits' needs {len(radices)} numbers for a group of {n} consumers and {q} queues")
    if not all(type(digit) is int and 0 <= digit < radix for digit, radix in zip(digits, radices, strict=True)):
        raise NotARun("'digits' is not the number of a group")
    if not claim.world.admits(n, q, tuple(digits)):
        raise NotARun("'digits' is the number of a group outside the claim's scope")
    group = claim.world.group(claim.subjects, n, q, tuple(digits))
    return Ran(Counterexample(n, q, tuple(digits), group, violated(claim.guarantee, group) or ""))


AGAIN = Replayable(_recipe, _run)
