"""The kind ``ordered``: registration of claims about ordered consumption with the engine."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.client.environment import DENIED, OK
from rebalance_proofs.model.client.process_queue import FREE, HELD
from rebalance_proofs.model.machine.record import names
from rebalance_proofs.model.ordered.clients import CLIENTS, OLDER, SLIPS, OrderedClient
from rebalance_proofs.model.ordered.limits import Limits
from rebalance_proofs.model.ordered.state import asked
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.numbers import UNANSWERED
from rebalance_proofs.model.transition.step import NOTHING_THROWN, Entry
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.kind import machine_kind, stated
from rebalance_proofs.proofs.obligation import Obligation, Statement, truth_values
from rebalance_proofs.proofs.ordered.circumstances import (
    ALIKE,
    ANYHOW,
    IN_TIME,
    NOT_LATER,
    ONE_GROUP,
    OUT_OF_TIME,
    PREMISES,
    PROMPT,
    RENEWED,
    RENEWED_AS_SHIPPED,
    RENEWED_OUT_OF_TIME,
    SHUT_TOO_SOON,
    SHUTS_IDLE,
    SOON_OUT_OF_TIME,
    TOO_LONG,
    UNLOCK_PENDING,
    Circumstances,
    needed,
)
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION
from rebalance_proofs.proofs.ordered.guarantees import (
    exact_limits,
    exact_wait,
    exclusive_listener,
    kept_so_long,
    lets_go,
    mixed,
    one_call,
    returned_at_shutdown,
)

# Lemma that a rebalance may be modelled as two steps, split at its lock request.

FLAGS = ("present", "dropped", "locked", "held", "cached", "in_set", "found")
ENTRY = ("present", "dropped", "locked", "lock_age", "cached")
NAMES = (*FLAGS, "pull_age", "lock_age", *names(Limits))


def _halves(e: Any, v: SimpleNamespace) -> Statement:
    zero = smt.IntVal(0)
    entry = Entry(
        present=v.present == 1,
        dropped=v.dropped == 1,
        locked=v.locked == 1,
        pull_age=v.pull_age,
        lock_age=v.lock_age,
        consume_lock=smt.If(v.held == 1, HELD, FREE),
        cached=v.cached == 1,
        tries=zero,
        memory=zero,
    )
    in_set, stored = v.in_set == 1, smt.If(v.found == 1, 0, UNANSWERED)
    whole = e.step(entry, asked(in_set, OK, stored, v.unlock), NOTHING_THROWN).after
    first = e.step(entry, asked(in_set, DENIED, stored, v.unlock), NOTHING_THROWN).after
    second = e.step(first, asked(in_set, OK, stored, v.unlock), NOTHING_THROWN).after
    both = {name: smt.If(first.present, getattr(first, name), getattr(second, name)) for name in ENTRY}
    same = [getattr(whole, name) == both[name] for name in ENTRY if name != "present"]
    present = whole.present == both["present"]
    ages = smt.And(v.pull_age >= 0, v.lock_age >= 0, v.unlock >= 0)
    given = truth_values(v, *FLAGS) | {"no time is negative": ages}
    return Statement(given, smt.And(present, smt.Implies(whole.present, smt.And(same))))


HALVES = Obligation(
    "halves",
    "A rebalance with a granted lock leaves the process queue that one with a denied lock leaves, or if that leaves "
    "none, the one that a further granted rebalance adds.",
    NAMES,
    _halves,
    goals=lambda v, bound: (
        (f"{name} beyond the bound", getattr(v, name) >= bound) for name in ("pull_age", "lock_age", "unlock")
    ),
)


# All claims about ordered consumption.

FOR_ALL = "for all numbers of consumers and queues, and all limits of time that meet the condition"
ALL_LIMITS = "for all numbers of consumers and queues, and all limits of time"
OUTSIDE = "for all limits of time that do not meet the condition"
EXISTS = "two consumers and one queue suffice; the shortest run, in ticks of ten seconds, is shown"
ONE_EXISTS = "one consumer and one queue suffice; the shortest run is shown"
ANY_WAIT = "for all limits of time, and all waits that are too short"


CLIENT, SHORTER = "client.lockMaxLiveTime", "min(client.lockMaxLiveTime, maxRenewalGap)"


def condition_of(client: OrderedClient, world: Circumstances) -> tuple[str, ...]:
    """Return the parts of the time condition for exclusive listeners, as formulas in text."""
    if world.renewed and client.renews_under_listener and not world.alike:
        kept = "maxLockDelay + min(maxRenewalGap, client.lockMaxLiveTime + maxListenerTime) <= broker.lockMaxLiveTime"
        return (kept,)
    trusted, later = SHORTER if world.renewed else CLIENT, " + firstPullDelay" if world.alike else ""
    kept = f"maxLockDelay + {trusted} + maxListenerTime <= broker.lockMaxLiveTime{later}"
    unforced = f"{trusted} + maxListenerTime <= unlockDelayTimeMills{later}"
    if world.alike:
        unforced = f"either {unforced} or maxListenerTime < firstPullDelay"
    return (kept, unforced) if client.forces else (kept,)


def condition_in_words(client: OrderedClient, world: Circumstances) -> str:
    """Return the definition of the exclusivity condition: the time condition of the client."""
    return f"the exclusivity condition: {', and '.join(condition_of(client, world))}"


def waits_in_words(client: OrderedClient, world: Circumstances) -> tuple[str, ...]:
    """Return the definition of a sufficient wait of a shutdown, if an assumption of the world needs it."""
    return (enough_in_words(client),) if SHUTS_IDLE in world.premises else ()


def enough_in_words(client: OrderedClient) -> str:
    """Return the shortest sufficient wait of a shutdown, as a formula in text."""
    if not client.rules.waits_for_listener:
        return "no wait is long enough: the client has none"
    requests = "`awaitTerminationMillisWhenShutdown` > `maxTimeConsumeContinuously` + maxListenerTime"
    if client.rules.renews_on:
        return f"long enough: {requests}"
    return (
        f"long enough: {requests}, or 2 x `awaitTerminationMillisWhenShutdown` > maxLateRequest + maxLockDelay + "
        "client.lockMaxLiveTime + maxListenerTime"
    )


def claims() -> tuple[Claim, ...]:
    """Return the claims about ordered consumption, client by client.

    There are claims with all assumptions, without each one, and that the limits are exact. Older clients have only
    the first and the last of these, and the claim about groups with other clients. All claims that hold rely on a
    lemma, because the machine splits a rebalance at its lock request.
    """
    every = (claim for client in CLIENTS for claim in _of(client))
    return tuple(replace(claim, lemmas=(HALVES,)) if claim.holds else claim for claim in every)


def _of(client: OrderedClient) -> Iterator[Claim]:
    yield _exclusive(client, IN_TIME, "")
    if client not in OLDER:
        for world in PREMISES:
            yield _exclusive(client, world, "")
        yield _exclusive(client, RENEWED, RENEWED.name)
        if client.pulls_later:
            yield _exclusive(client, ALIKE, ALIKE.name)
        yield _exact(client, SOON_OUT_OF_TIME if client.pulls_later else RENEWED_OUT_OF_TIME, RENEWED.name)
        yield _too_short(client)
    if needed(client, RENEWED_AS_SHIPPED.name):
        yield _exclusive(client, RENEWED_AS_SHIPPED, RENEWED_AS_SHIPPED.name)
    yield _exact(client, OUT_OF_TIME, "")
    yield stated(client, mixed(client), ONE_GROUP, ALL_LIMITS, holds=True)
    if client not in OLDER:
        for guarantee, world in (
            (one_call(client), ANYHOW),
            (lets_go(client), NOT_LATER),
            (kept_so_long(client), NOT_LATER),
        ):
            yield stated(client, guarantee, world, ALL_LIMITS, holds=True)
        if client.rules.waits_for_listener:
            yield _given_back(client)
            if client.puts_off and not client.rules.renews_on:
                yield stated(client, returned_at_shutdown(client), UNLOCK_PENDING, ONE_EXISTS, holds=False)


def _given_back(client: OrderedClient) -> Claim:
    holds = not client.rules.renews_on
    return stated(client, returned_at_shutdown(client), PROMPT, ALL_LIMITS if holds else ONE_EXISTS, holds=holds)


def _too_short(client: OrderedClient) -> Claim:
    world, defining = SHUT_TOO_SOON, (enough_in_words(client),)
    return stated(client, exact_wait(client), world, ANY_WAIT, holds=True, variant=world.name, defining=defining)


def _exact(client: OrderedClient, world: Circumstances, variant: str) -> Claim:
    more = ", although every renewal is in time" if world.renewed else ""
    defining = condition_in_words(client, world), *waits_in_words(client, world)
    return stated(
        client, exact_limits(client), world, OUTSIDE, holds=True, more=more, variant=variant, defining=defining
    )


def _exclusive(client: OrderedClient, world: Circumstances, variant: str) -> Claim:
    holds = not needed(client, world.name)
    scope = FOR_ALL if holds else EXISTS
    met = world not in (TOO_LONG, RENEWED_AS_SHIPPED)
    assuming = condition_of(client, world) if met else ()
    named = (condition_in_words(client, world),) if world == TOO_LONG else ()
    return stated(
        client,
        exclusive_listener(client),
        world,
        scope,
        holds=holds,
        variant=variant,
        assuming=assuming,
        defining=(*named, *waits_in_words(client, world)),
    )


ORDERED = machine_kind(CONFIGURATION, claims, SLIPS)
