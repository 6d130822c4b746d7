"""The cost of claims about pull requests: proofs, exploring, and comparing one consumer with its terms."""

from dataclasses import replace

from benchmarks import proving
from benchmarks.history import Measured
from benchmarks.timing import measure, seconds
from rebalance_proofs.proofs.machine import declared
from rebalance_proofs.proofs.machine.kind import explored
from rebalance_proofs.spark_enum.machine.declared import steps as compared_steps

PULLS = "pulls."
"""The beginning of the ids of claims about pull requests."""


def figures() -> list[Measured]:
    """The figures, in the order in which they are measured."""
    obligations = len(proving.all_obligations(PULLS))
    proofs = measure(lambda: proving.prove_obligations(PULLS))
    (claim,) = (one for one in declared.kind("pulls").claims() if one.id == "pulls.java_v5_3_3.one-request")
    configuration = declared.configuration("pulls")
    client, whole = claim.subjects[0], replace(configuration, limit=99, gives_up=False)
    gone_through = measure(lambda: explored.__wrapped__(whole, client.encoding, claim), runs=3)
    steps, moves = compared_steps("pulls")(client.name), range(len(configuration.moves))
    compared = measure(lambda: [steps(piece) for piece in moves], runs=3)
    return [
        Measured(
            "obligations about pull requests, both solvers",
            seconds(proofs.median),
            "at most 45 s",
            proofs.median <= 45,
            f"{obligations} obligations, start of solvers included; {proofs}",
        ),
        Measured(
            "exploration of one queue's pull requests",
            seconds(gone_through.median),
            detail=f"all states with up to two of a kind, one core; {gone_through}",
        ),
        Measured(
            "comparison of one queue's pull requests",
            f"{len(moves) * steps.space.size:,} in {seconds(compared.median)}",
            detail=f"every action from every state, code and compiled term, one core; {compared}",
        ),
    ]
