"""How reports show claims about ordered consumption: the functions that all reports use."""

from collections.abc import Sequence

from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.happens import NAMES
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import Ordered
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.report.actions import Actions
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.ordered.pauses import indexed
from rebalance_proofs.report.ordered.places import PLACES
from rebalance_proofs.report.runs import AROUND
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS

Ran = Run[Ordered, Limits]


def about(claim: Claim) -> str:
    """Return a sentence about the group of a claim: its queue, its consumers and their client."""
    name = claim.subjects[0].rocketmq_name
    return f"One queue, any number of consumers of {name} with ordered listeners, and the broker's lock."


def given(client: OrderedClient, limits: Limits, *, renewed: bool = False) -> str:
    """Return the client's time limits in words.

    ``renewed``: with the longest time between renewals.
    """
    told = {
        "broker answer": limits.delay,
        "listener": limits.listener,
        "client lockMaxLiveTime": limits.client,
        "broker lockMaxLiveTime": limits.broker,
        "unlockDelayTimeMills": limits.unlock,
    }
    told |= {"first pull delay": limits.first_pull} if client.pulls_later else {}
    told |= {"awaitTerminationMillisWhenShutdown": limits.wait} if client.rules.waits_for_listener else {}
    told |= {"renewal every": limits.renewal} if renewed else {}
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items())


def _given(run: Ran) -> str:
    limits = given(run.client, run.limits, renewed=run.world.renewed)
    return f"Consumers {' and '.join(NAMES)}; one queue. Limits: {limits}."


def _noted(run: Ran, before: Sequence[Ordered], after: Sequence[Ordered], who: int) -> str:
    """Return the effects of an action in words: the new lock holder, and whether both listeners run.

    ``before`` and ``after``: states of both consumers. ``who``: index of the acting consumer.
    """
    holder = number(after[0].holder)
    told = [f"lock: {_with(run, holder)}"] if holder != before[0].holder else []
    both = all(s.runs for s in after) and not all(s.runs for s in before)
    return ", ".join([*told, *(["both listeners run"] if both else [])])


def _with(run: Ran, holder: int) -> str:
    """Return the lock's holder: ``X``, ``Y`` or ``free``.

    Both names if they have the same client id.
    """
    named = {NOBODY: "free"} | ({ME: " and ".join(NAMES)} if run.world.twins else dict(enumerate(NAMES, start=ME)))
    return named[holder]


TELLING = Telling(
    CONFIGURATION,
    _given,
    parties=("broker",),
    limits=lambda run: {"client_ids": [ME] * 2 if run.world.twins else [ME, ME + 1], "limits": vars(run.limits)},
    noted=_noted,
)
ORDERED = machine_shown(
    TELLING,
    PLACES,
    about,
    none="two consumers never run two listeners, in ticks of ten seconds",
    around=AROUND,
    actions=Actions(ACTIONS, "ordered consumption", "of ordered consumers", "an ordered queue"),
    indexed=indexed,
)
