"""The cost of claims about ordered consumption: proofs, exploring two consumers, and comparing one with its terms."""

from benchmarks import commands, proving
from benchmarks.history import Measured
from benchmarks.timing import measure, seconds
from rebalance_proofs.model.machines.ordered.actions import CLIENTS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.kind import explored as shortest
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.proofs.ordered.two import CONFIGURATION
from rebalance_proofs.spark_enum.machine.declared import steps

ORDERED = "ordered."
"""The beginning of the ids of claims about ordered consumption."""


def figures() -> list[Measured]:
    """The figures, in the order in which they are measured."""
    obligations = len(proving.all_obligations(ORDERED))
    proofs = measure(lambda: proving.prove_obligations(ORDERED))
    safe = measure(commands.safe)
    explored = sorted(
        measure(lambda claim=claim: _explore(claim), runs=1, warm_up=1).median
        for claim in LEDGER
        if claim.kind == "ordered" and claim.expected is Verdict.REFUTED
    )
    paused = measure(lambda: [longest(client, way) for client in CLIENTS for way in Way], runs=3)
    compared = measure(
        lambda: [steps("ordered")(CLIENTS[0].name)(piece) for piece in range(len(CONFIGURATION.moves))], runs=3
    )
    actions = len(CONFIGURATION.moves) * steps("ordered").space.size
    rate = actions / compared.median * 60 / 1e6
    short = sum(one < 1 for one in explored)
    return [
        Measured(
            "obligations about ordered consumption, both solvers",
            seconds(proofs.median),
            "at most 5 s",
            proofs.median <= 5,
            f"{obligations} obligations, start of solvers included; {proofs}",
        ),
        Measured(
            "shortest runs to two listeners",
            f"{seconds(explored[0])} to {seconds(explored[-1])}",
            "under 1 s each",
            short == len(explored),
            f"by exploration, one core, {len(explored)} runs, {short} of them under 1 s",
        ),
        Measured(
            "longest pauses", seconds(paused.median), detail=f"{len(CLIENTS) * len(Way)} of them, one core; {paused}"
        ),
        Measured(
            "comparison of one ordered consumer's steps",
            f"{rate:.1f} million a minute",
            "at least 1 million a minute",
            rate >= 1,
            f"{actions:,} in {compared}, every action from every state, code and compiled term, one core",
        ),
        Measured("`rebalance safe`", seconds(safe.median), "under 3 s", safe.median < 3, f"a new process; {safe}"),
    ]


def _explore(claim: Claim) -> None:
    if shortest(CONFIGURATION, claim.subjects[0].encoding, claim) is None:
        raise RuntimeError(f"{claim.id}: nothing was found")
