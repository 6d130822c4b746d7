"""How reports show claims about settling: the functions that all reports use."""

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Service
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.settling.places import PLACES
from rebalance_proofs.spark_enum.settling.kinds import WAKES

__all__ = ["SETTLING"]


def about(claim: Claim) -> str:
    """Return a sentence about the thread and client of a claim."""
    return f"The rebalance thread of one client of {claim.subjects[0].rocketmq_name}, and all that wakes it."


def given(run: Run[Service, Limits]) -> str:
    """Return the first line of a counterexample in words, with the time limits."""
    told = {"the thread waits for": run.limits.wait, "a rebalance takes at most": run.limits.loop}
    told |= {"two of them are apart by at least": run.limits.least} if run.client.least else {}
    return f"One client: {', '.join(f'{words} {value / 1000:g} s' for words, value in told.items())}."


SETTLING = machine_shown(
    Telling(CONFIGURATION, given, observes="The client's tables are inspected"),
    PLACES,
    about,
    none=f"the thread does not reach that state within {CONFIGURATION.end} ticks",
    around="1 consumer",
    actions=Actions(WAKES, "settling", "of rebalance threads", "a rebalance thread"),
)
