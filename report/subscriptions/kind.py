"""How reports show claims about subscriptions: the functions that all reports use."""

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import BROKER, MEMBER, Subscription
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.subscriptions.places import PLACES
from rebalance_proofs.spark_enum.subscriptions.kinds import HEARTBEATS


def about(claim: Claim) -> str:
    """Return a sentence about the code that the claim covers."""
    return f"One member of a group of {claim.subjects[0].rocketmq_name}, all others, and one broker."


def given(run: Run[Subscription, Limits]) -> str:
    """Return the first line of a counterexample in words: the time limits."""
    lim = run.limits
    told = {
        "heartbeats are due every": lim.period,
        "one round takes at most": lim.beat,
        "a refused pull is retried within": lim.retry,
    }
    if run.client.delays:
        told["a first pull waits for"] = lim.delay
    begin = "One member, which has just registered, subscribes to a topic with a tag"
    return f"{begin}. Limits: {', '.join(f'{words} {number(value) / 1000:g} s' for words, value in told.items())}."


SUBSCRIPTIONS = machine_shown(
    Telling(CONFIGURATION, given, parties=(MEMBER, BROKER)),
    PLACES,
    about,
    none=f"a member does not reach this in {CONFIGURATION.end} ticks",
    around="1 member, 1 topic",
    actions=Actions(
        HEARTBEATS, "subscriptions", "with subscriptions", "a subscription", "the code of client and broker"
    ),
)
