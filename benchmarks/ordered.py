"""The cost of claims about ordered consumption: proofs, exploring two consumers, and comparing one with its terms."""

from benchmarks import commands, proving
from benchmarks.timing import measure, seconds
from rebalance_proofs.model.ordered.clients import CLIENTS
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.machine.exploration import explored as shortest
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.proofs.ordered.passing import Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.spark_enum.ordered.witness import OrderedSteps

ORDERED = "ordered."
"""The beginning of the ids of claims about ordered consumption."""


def rows() -> list[str]:
    """The lines of the table."""
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
        lambda: [OrderedSteps(CLIENTS[0].name)(piece) for piece in range(len(CONFIGURATION.moves))], runs=3
    )
    actions = len(CONFIGURATION.moves) * OrderedSteps.space.size
    rate = f"{actions / compared.median * 60 / 1e6:.1f} million a minute"
    return [
        f"| the {obligations} obligations about ordered consumption, both solvers, their start included | at most 5 s "
        f"| {proofs} |",
        f"| the shortest runs to two listeners, by exploration, one core: {len(explored)} of them | under 1 s each "
        f"| {seconds(explored[0])} to {seconds(explored[-1])}; {sum(one < 1 for one in explored)} under 1 s |",
        f"| the longest pauses, {len(CLIENTS) * len(Way)} of them, one core | | {paused} |",
        "| every action from every state of one ordered consumer, code and compiled term, one core | at least "
        f"1 million a minute | {actions:,} in {compared}: {rate} |",
        f"| `rebalance safe`, a new process | under 3 s | {safe} |",
    ]


def _explore(claim: Claim) -> None:
    if shortest(CONFIGURATION, claim.subjects[0].encoding, claim) is None:
        raise RuntimeError(f"{claim.id}: nothing was found")
