"""A run of a member and a broker as a sequence diagram, with the broker's member list."""

from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.registry.telling import Answered, RegistryTelling
from rebalance_proofs.report.sequence import Row, sequence

CLOCK = 84
"""Width of the column of times, in pixels."""
LANES = ("X", "broker")
SPOKE = ("finds", "unregisters", "breaks", "closes_old", "refreshes")
"""Actions in which the member sends something to the broker, or its connection closes."""


def drawn(telling: RegistryTelling, claim: Claim, example: Counterexample) -> str:
    """Return the diagram of a claim's counterexample as SVG."""
    rows = [_row(one) for one in telling.answered(example.group) if not one.idle]
    title = "A member of a group, and a broker"
    return sequence(claim.id, title, example.sentence, "its answer", CLOCK, rows, LANES)


def _row(one: Answered) -> Row:
    state = one.seen.state
    return Row(
        mark=clock(one.seen.at),
        words=one.words,
        runs=(truth(state.alive), False),
        present=(truth(state.link), True),
        broker=", ".join(one.answer) if one.answer else "nobody",
        free=not one.answer,
        spoke=0 if one.seen.happens.action in SPOKE else None,
    )
