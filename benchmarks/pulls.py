"""The cost of pull requests: proofs, exploring, and comparing one consumer with its terms."""

from benchmarks import proving
from benchmarks.timing import measure
from rebalance_proofs.model.pulls.clients import CLIENTS
from rebalance_proofs.proofs.pulls.explore import shortest
from rebalance_proofs.proofs.pulls.guarantees import BAD
from rebalance_proofs.proofs.pulls.troubles import CONNECTED
from rebalance_proofs.spark_enum.pulls.requests import Requests
from rebalance_proofs.spark_enum.pulls.space import MOVES, SIZE

__all__ = ["rows"]

PULLS = "pulls."
"""With this begin the ids of claims about pull requests."""


def rows() -> list[str]:
    """Lines of the table."""
    obligations = len(proving.all_obligations(PULLS))
    proofs = measure(lambda: proving.prove_obligations(PULLS))
    explored = measure(lambda: shortest(CLIENTS[-1].encoding, CONNECTED, BAD, limit=99), runs=3)
    compared = measure(lambda: [Requests(CLIENTS[-1].name)(piece) for piece in range(len(MOVES))], runs=3)
    return [
        f"| the {obligations} obligations about pull requests, both solvers, their start included | at most 45 s "
        f"| {proofs} |",
        f"| one queue's pull requests, all states with up to two of a kind, one core | | {explored} |",
        "| every action from every state of one queue's pull requests, code and compiled term, one core | "
        f"| {len(MOVES) * SIZE:,} in {compared} |",
    ]
