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
from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    OUT_OF_TIME,
    PROMPT,
    RENEWED,
    RENEWED_AS_SHIPPED,
    RENEWED_OUT_OF_TIME,
    SHUT_TOO_SOON,
    SOON_OUT_OF_TIME,
)
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.report.claims.runs import AROUND, Places, circumstances
from rebalance_proofs.report.family import BY_CLIENT, Family
from rebalance_proofs.report.machine.shown import Telling, machine_shown
from rebalance_proofs.report.ordered.pauses import indexed
from rebalance_proofs.spark_enum.ordered.kinds import ACTIONS

# Table layout of claims about ordered consumption: assumptions in rows, clients in columns.

ORDERED_PLACES = Family(
    "ordered",
    "Ordered consumption",
    "A consumer calls its ordered listener only while it believes that it holds the broker's lock of the queue. The "
    "lock depends on time limits of both sides. Go's source was read; Go was not run.",
    ("Claim", "When"),
    spelled_out=True,
    table=BY_CLIENT,
)


WHEN = {
    IN_TIME.name: "if all assumptions hold",
    RENEWED.name: "if all assumptions hold and renewals are in time",
    ALIKE.name: "if all assumptions hold, renewals are in time, and all consumers are 5.x",
    OUT_OF_TIME.name: "if all other assumptions hold",
    RENEWED_OUT_OF_TIME.name: "if all other assumptions hold and renewals are in time",
    SOON_OUT_OF_TIME.name: "if all other assumptions hold, renewals are in time, and all consumers are 5.x",
    SHUT_TOO_SOON.name: "if all other assumptions hold and a shutdown is too short",
    PROMPT.name: "if requests are answered at once and nothing is lost",
    RENEWED_AS_SHIPPED.name: "if renewals are in time, with default settings",
    ANYHOW.name: "in any case except `consumeMessageDirectly`",
    ONE_GROUP.name: "if client ids are unique and clocks agree",
    NOT_LATER.name: "if no lock request is later than maxLateRequest",
}


PLACES = Places(ORDERED_PLACES, circumstances(WHEN))


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
