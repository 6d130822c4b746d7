"""The clients of a counterexample: one, or two side by side in the same case."""

from typing import NamedTuple

from rebalance_proofs.model.transition.rounds import Rounds
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.transition.search import run_case


class Side(NamedTuple):
    """One client and what its code did."""

    name: str
    rounds: Rounds


def sides(claim: Claim, example: Counterexample) -> tuple[Side, ...]:
    """The claim's clients; the first of them is the counterexample's own."""
    found = example.group
    others = (run_case(claim.world, client, found.mode, found.case) for client in claim.subjects[1:])
    return tuple(Side(rounds.client.rocketmq_name, rounds) for rounds in (found, *others))
