"""Guarantees about settling; each function returns the guarantee for a client."""

from functools import cache

from rebalance_proofs.model.machine.run import Run, seconds
from rebalance_proofs.model.machine.values import truth
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.machine import Service
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.settling import configuration, invariant, longest
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION

__all__ = ["alone", "apart", "as_long", "one_wait", "settles", "waits", "woken"]

_SOURCE = "https://github.com/apache/rocketmq/blob/develop"
_CONSUMER = f"{_SOURCE}/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
SERVICE_THREAD = f"{_SOURCE}/common/src/main/java/org/apache/rocketmq/common/ServiceThread.java"
REBALANCE_SERVICE = f"{_CONSUMER}/RebalanceService.java"
RESUME = f"{_CONSUMER}/DefaultMQPushConsumerImpl.java"

Ran = Run[Service, Limits]


@cache
def settles(client: SettlingClient) -> Guarantee:
    """Guarantee: a change takes effect within a time limit, with or without a notification."""
    in_time = configuration.seen(client)
    sentence = (
        f"within {in_time.span.words} of the last membership change, a rebalance that used the new list completes"
    )

    def seen(run: Ran) -> str | None:
        s = run.end
        if not truth(in_time.exceeded(s, run.limits)):
            return None
        return f"{seconds(s.now - s.change)} after the change, no rebalance has used the new state."

    return proved_by_induction(
        CONFIGURATION,
        client,
        "settles",
        sentence,
        REBALANCE_SERVICE,
        invariant.settles(client),
        configuration.late,
        seen,
        ("settles", "a rebalance uses the change in time"),
        brief=f"within {in_time.span.words} of the last change, a rebalance using it ends",
        covers=("with or without a notification of the change",),
    )


@cache
def woken(client: SettlingClient) -> Guarantee:
    """Guarantee: after a notification, a change takes effect sooner than by the timer."""
    in_time = configuration.woken(client)
    sentence = f"within {in_time.span.words} of a notification, a rebalance that used the new list completes"

    def seen(run: Ran) -> str | None:
        s = run.end
        if not truth(in_time.exceeded(s, run.limits)):
            return None
        return f"{seconds(s.now - s.heard_at)} after the notification, no rebalance has used the new state."

    return proved_by_induction(
        CONFIGURATION,
        client,
        "woken",
        sentence,
        SERVICE_THREAD,
        invariant.soon(client),
        in_time.exceeded,
        seen,
        ("woken", "a rebalance answers the notification in time"),
        brief=f"a rebalance with the new list ends within {in_time.span.words} of notification",
        assumes=("a notification of the last membership change",),
    )


@cache
def waits(client: SettlingClient) -> Guarantee:
    """Guarantee: the rebalance thread waits its full time unless a wake-up comes.

    One wake-up causes at most two early rebalances.
    """
    hurried, (wait, *least) = configuration.hurried(client), configuration.unwoken(client)
    other = f" ({least[0].span.words} if a group is unbalanced)" if least else ""
    sentence = f"the rebalance thread waits at least {wait.span.words}{other} between two rebalances, unless woken"
    unbalanced = ("an unbalanced group: one that does not work on exactly the queues of its share",) if least else ()

    def seen(run: Ran) -> str | None:
        s = run.end
        if not truth(hurried(s, run.limits)):
            return None
        return f"without a wake-up, the thread rebalances {seconds(s.began - s.last)} after its last rebalance."

    return proved_by_induction(
        CONFIGURATION,
        client,
        "waits",
        sentence,
        SERVICE_THREAD,
        invariant.waits(client),
        hurried,
        seen,
        ("unwoken", "a rebalance that begins sooner was asked for"),
        assumes=("no wake-up since the start of the last rebalance before the two rebalances of the claim",),
        where=unbalanced,
    )


@cache
def apart(client: SettlingClient) -> Guarantee:
    """Guarantee: rebalances are at least minInterval apart, for any number of notifications."""
    least = configuration.APART[0].span
    sentence = f"a rebalance starts at least {least.words} after the previous one ends"

    def seen(run: Ran) -> str | None:
        s = run.end
        if not truth(configuration.too_soon(s, run.limits)):
            return None
        began = s.called_at if s.follows else s.began
        return f"a rebalance begins {seconds(began - s.last)} after the end of the last one."

    return proved_by_induction(
        CONFIGURATION,
        client,
        "apart",
        sentence,
        REBALANCE_SERVICE,
        invariant.apart(client),
        configuration.too_soon,
        seen,
        ("no-sooner", sentence),
    )


@cache
def alone(client: SettlingClient) -> Guarantee:
    """Guarantee: rebalances of one client do not overlap.

    All claims that treat rebalances as consecutive steps rely on this.
    """
    sentence = "a client never runs two rebalances concurrently"

    def seen(run: Ran) -> str | None:
        return "two rebalances are under way." if truth(configuration.two(run.end, run.limits)) else None

    return proved_by_induction(
        CONFIGURATION,
        client,
        "alone",
        sentence,
        RESUME,
        invariant.alone(client),
        configuration.two,
        seen,
        ("one-at-a-time", sentence),
    )


@cache
def one_wait(client: SettlingClient) -> Guarantee:
    """Guarantee: an interrupt does not make the thread spin; the next wait is not affected."""
    sentence = "an interrupt of the rebalance thread ends at most one wait before its time"

    def seen(run: Ran) -> str | None:
        bad = truth(configuration.spent_twice(run.end, run.limits))
        return "the same interrupt has ended two waits: it is still pending." if bad else None

    return proved_by_induction(
        CONFIGURATION,
        client,
        "one-wait",
        sentence,
        SERVICE_THREAD,
        invariant.once(client),
        configuration.spent_twice,
        seen,
        ("at-most-one", sentence),
        brief="an interrupt ends at most one wait of the rebalance thread",
    )


@cache
def as_long(client: SettlingClient) -> Guarantee:
    """Guarantee: the time limit of ``settles`` is sharp; settling can take that long.

    This is for all limits.
    """
    return Guarantee(
        "as-long",
        f"whatever the limits, it can take {configuration.seen(client).span.words} until a rebalance with the new "
        "list completes",
        REBALANCE_SERVICE,
        always(longest.as_long(client)),
        lambda found: NO,
        lambda run: None,
    )
