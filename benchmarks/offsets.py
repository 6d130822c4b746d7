"""The cost of offsets: proofs, exploring two consumers, and comparing one with its terms."""

from benchmarks import proving
from benchmarks.timing import measure
from rebalance_proofs.model.offsets.clients import CLIENTS
from rebalance_proofs.proofs.offsets.brokers import COMMITTED
from rebalance_proofs.proofs.offsets.explore import LIMIT, shortest
from rebalance_proofs.proofs.offsets.guarantees import BAD
from rebalance_proofs.spark_enum.offsets.space import MOVES, SIZE
from rebalance_proofs.spark_enum.offsets.steps import Steps

OFFSETS = "offsets."
"""With this begin the ids of claims about offsets."""


def rows() -> list[str]:
    """Lines of the table."""
    obligations = len(proving.all_obligations(OFFSETS))
    proofs = measure(lambda: proving.prove_obligations(OFFSETS))
    explored = measure(lambda: shortest(CLIENTS[-1].encoding, COMMITTED, BAD), runs=3)
    compared = measure(lambda: [Steps(CLIENTS[-1].name)(piece) for piece in range(len(MOVES))], runs=3)
    actions = len(MOVES) * SIZE
    rate = f"{actions / compared.median * 60 / 1e6:.1f} million a minute"
    return [
        f"| the {obligations} obligations about offsets, both solvers, their start included | at most 45 s "
        f"| {proofs} |",
        f"| two consumers and one message, all runs of up to {LIMIT} actions, one core | | {explored} |",
        "| every action from every state of one consumer with its offsets, code and compiled term, one core | "
        f"| {actions:,} in {compared}: {rate} |",
    ]
