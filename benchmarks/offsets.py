"""The cost of claims about offsets: proofs, exploring two consumers, and comparing one with its terms."""

from benchmarks import proving
from benchmarks.history import Measured
from benchmarks.timing import measure, seconds
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT, ORDERLY
from rebalance_proofs.model.offsets.space import LIMIT, LIMIT_IN_TURN
from rebalance_proofs.proofs.machine.declared import configured, kind
from rebalance_proofs.proofs.machine.kind import explored, searched
from rebalance_proofs.spark_enum.machine.declared import comparison

OFFSETS = "offsets."
"""The beginning of the ids of claims about offsets."""


def figures() -> list[Measured]:
    """The figures, in the order in which they are measured."""
    obligations = len(proving.all_obligations(OFFSETS))
    proofs = measure(lambda: proving.prove_obligations(OFFSETS))
    found = measure(lambda: _explores(f"offsets.{CONCURRENT[-1].name}.not-skipped"), runs=3)
    in_turn = measure(lambda: _explores(f"offsets.{ORDERLY[-1].name}.back-at-most"), runs=3)
    last = [comparison("offsets", client.name, 1) for client in (CONCURRENT[-1], ORDERLY[-1])]
    compared = measure(lambda: [steps(piece) for steps in last for piece in range(len(steps.space.pieces))], runs=3)
    actions = sum(len(steps.space.pieces) * steps.space.size for steps in last)
    rate = f"{actions / compared.median * 60 / 1e6:.1f} million a minute"
    return [
        Measured(
            "obligations about offsets, both solvers",
            seconds(proofs.median),
            "at most 45 s",
            proofs.median <= 45,
            f"{obligations} obligations, start of solvers included; {proofs}",
        ),
        Measured(
            "exploration of two consumers and one message",
            seconds(found.median),
            detail=f"all runs of up to {LIMIT} actions, one core; {found}",
        ),
        Measured(
            "exploration of two ordered consumers and one message",
            seconds(in_turn.median),
            detail=f"one after the other, up to {LIMIT_IN_TURN} actions; {in_turn}",
        ),
        Measured(
            "comparison of one consumer's steps with its offsets",
            rate,
            detail=f"{actions:,} in {compared}, every action from every state, concurrent and ordered, code and "
            "compiled term, one core",
        ),
    ]


def _explores(name: str) -> None:
    """All that is asked of a client in that claim's world, in one search, which is forgotten."""
    claim = next(claim for claim in kind("offsets").claims() if claim.id == name)
    explored.cache_clear()
    searched.cache_clear()
    explored(configured("offsets", claim), claim.subjects[0].encoding, claim)
