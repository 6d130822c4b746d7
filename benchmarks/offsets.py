"""The cost of claims about offsets: proofs, exploring two consumers, and comparing one with its terms."""

from benchmarks import proving
from benchmarks.timing import measure
from rebalance_proofs.model.offsets.clients import CONCURRENT, ORDERLY
from rebalance_proofs.proofs.offsets.brokers import COMMITTED, IN_TURN
from rebalance_proofs.proofs.offsets.explore import LIMIT, LIMIT_IN_TURN, shortest
from rebalance_proofs.proofs.offsets.guarantees import BAD, BAD_IN_ORDER
from rebalance_proofs.spark_enum.offsets.space import moves, size
from rebalance_proofs.spark_enum.offsets.steps import Steps

OFFSETS = "offsets."
"""The beginning of the ids of claims about offsets."""


def rows() -> list[str]:
    """The lines of the table."""
    obligations = len(proving.all_obligations(OFFSETS))
    proofs = measure(lambda: proving.prove_obligations(OFFSETS))
    explored = measure(lambda: shortest(CONCURRENT[-1].encoding, COMMITTED, BAD), runs=3)
    in_turn = measure(lambda: shortest(ORDERLY[-1].encoding, IN_TURN, BAD_IN_ORDER), runs=3)
    last = (CONCURRENT[-1], ORDERLY[-1])
    pieces = [(client.name, piece) for client in last for piece in range(len(moves(client.way)))]
    compared = measure(lambda: [Steps(name)(piece) for name, piece in pieces], runs=3)
    actions = sum(len(moves(client.way)) * size(client.way) for client in last)
    rate = f"{actions / compared.median * 60 / 1e6:.1f} million a minute"
    return [
        f"| the {obligations} obligations about offsets, both solvers, their start included | at most 45 s "
        f"| {proofs} |",
        f"| two consumers and one message, all runs of up to {LIMIT} actions, one core | | {explored} |",
        f"| the same with ordered listeners, one after the other, up to {LIMIT_IN_TURN} actions | | {in_turn} |",
        "| every action from every state of one consumer with its offsets, concurrent and ordered, code and compiled "
        f"term, one core | | {actions:,} in {compared}: {rate} |",
    ]
