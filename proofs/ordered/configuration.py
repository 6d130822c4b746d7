"""Configuration of the state machine for two consumers of one ordered queue.

It defines the bad states (as two running listeners), and what other consumers can do to the lock.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from rebalance_proofs.model.machine.conjunct import Predicate
from rebalance_proofs.model.machine.copies import ME, NOBODY, OTHER
from rebalance_proofs.model.machine.happens import Happens
from rebalance_proofs.model.machine.machine import Step, step
from rebalance_proofs.model.machine.record import ghosts
from rebalance_proofs.model.machine.values import And, Bool, If, Not, Or, Value, number
from rebalance_proofs.model.ordered.clients import OrderedClient
from rebalance_proofs.model.ordered.limits import DEFAULTS, Limits
from rebalance_proofs.model.ordered.machine import ORDERED
from rebalance_proofs.model.ordered.state import Choices, Ordered, Variant
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine import induction
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.rely import rely
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.ordered.circumstances import ANYHOW, RENEWED_AS_SHIPPED, TIME, Circumstances, least, needed
from rebalance_proofs.proofs.ordered.invariant import NEVER_LATER, Conjunct

# Time limits for examples: in ms for counterexamples, and in ticks for explorations.


def example(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ms for a counterexample: the defaults, unless ``world`` excludes them."""
    if world.name == RENEWED_AS_SHIPPED.name or world.prompt:
        return DEFAULTS
    if world.alike:
        return _waited(client, replace(DEFAULTS, listener=_until_pulled(client, DEFAULTS)))
    if world.keeps(TIME):
        fits = replace(DEFAULTS, unlock=DEFAULTS.client + DEFAULTS.listener) if client.forces else DEFAULTS
        return fits if needed(client, world.name) else _waited(client, fits)
    if client.forces:
        return DEFAULTS
    return replace(DEFAULTS, listener=DEFAULTS.broker - DEFAULTS.client)


def _waited(client: OrderedClient, limits: Limits) -> Limits:
    """Return the limits with a shutdown that waits long enough for its listener."""
    return replace(limits, wait=least(client.rules, limits) or 0)


def _until_pulled(client: OrderedClient, limits: Limits) -> int:
    """Return the longest time of a listener call, in ms, that meets the time condition.

    Renewals are in time, and all consumers delay first pulls.
    """
    trusted = min(number(limits.client), number(limits.renewal))
    within = limits.unlock if client.forces else limits.broker - limits.delay
    return number(within + limits.first_pull) - trusted


TICKS = Limits(delay=0, client=3, broker=6, listener=0, unlock=2, renewal=2, late=0, first_pull=0, wait=0, loop=6)
"""Default limits, in ticks of ten seconds.

Answers, first pulls and listeners end in the tick of their start.
"""
SEARCHED = replace(TICKS, listener=1, first_pull=1, loop=0)
"""Limits in ticks for searches: a delayed first pull takes a tick, and so does a listener.

A tick only orders events, and has no fixed length.
"""


def in_ticks(client: OrderedClient, world: Circumstances) -> Limits:
    """Return limits in ticks for a counterexample."""
    if world.name == RENEWED_AS_SHIPPED.name:
        return replace(SEARCHED, listener=2)
    if world.prompt:
        return SEARCHED
    if world.alike:
        return _waited(client, replace(SEARCHED, listener=_until_pulled(client, SEARCHED)))
    if world.keeps(TIME):
        fits = replace(SEARCHED, unlock=SEARCHED.client + SEARCHED.listener) if client.forces else SEARCHED
        return fits if needed(client, world.name) else _waited(client, fits)
    if client.forces:
        return SEARCHED
    return replace(SEARCHED, listener=SEARCHED.broker - SEARCHED.client + 1 + client.pulls_later)


Proof = induction.Induction[Ordered, Choices, Limits, Variant]
Others = induction.Others[Ordered, Limits]
Bad = Predicate[Ordered, Limits]
LIMIT = 60
"""Largest number of actions in a searched run."""
UNSEEN = ("twice", *ghosts(Ordered))
"""Fields of the state that explorations ignore.

They are fields for proofs alone, and a field that never changes.
"""
SHUTDOWN = ("clears", "gives_back", "interrupts", "shuts")
"""Actions of a shutdown.

Of several shortest runs, the search reports one with these actions late.
"""


def runs(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that the consumer's listener runs."""
    return s.runs


def is_kept(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that a consumer that has shut down still holds the lock.

    No unlock is on its way or delayed.
    """
    return And(s.yielded, s.closed, Not(Or(s.unlocking, s.later)), s.holder == ME)


def _ended(s: Ordered, lim: Limits) -> Bool:
    """Return the condition that the consumer can never call its listener again.

    It accepts no requests, has no messages, and makes no call.
    """
    return And(Or(s.stopping, s.closed), Not(Or(s.cached, s.runs)))


BAD: Mapping[str, Bad] = {"exclusive": runs, "given-back": is_kept}
"""Name of a guarantee -> its bad states.

Both consumers' listeners run, or a consumer leaves a lock behind.
"""


def _tried(claim: Claim, moves: Sequence[Happens]) -> Sequence[Happens]:
    """Return the actions to try in a search.

    For a lock left behind, only the actions of one consumer are tried, because the other can only take the lock. A
    process queue with an overdue pull is removed like one that belongs to another consumer, so that only the latter
    case is tried.
    """
    order = (*SHUTDOWN, *(name for name in ORDERED.actions if name not in SHUTDOWN))
    told = (move for move in moves if ("in_set", True) not in move.said)
    several = claim.guarantee.name == "exclusive"
    return sorted(
        (move for move in told if several or move.who == 0),
        key=lambda move: (order.index(move.action), [not value for _, value in move.said], move.who),
    )


def _fits(claim: Claim) -> tuple[Limits, Limits]:
    client: OrderedClient = claim.subjects[0]
    return example(client, claim.world), in_ticks(client, claim.world)


CONFIGURATION = Configuration(
    ORDERED,
    lambda claim: BAD.get(claim.guarantee.name),
    DEFAULTS,
    SEARCHED,
    limit=LIMIT,
    tried=_tried,
    fits=_fits,
    apart=True,
    copies=2,
    every=lambda claim: claim.guarantee.name == "exclusive",
    unseen=lambda claim: UNSEEN,
    hopeless=lambda claim: _ended if claim.guarantee.name == "exclusive" else None,
)


def happens(who: int, action: str, *said: bool) -> Happens:
    """Return an action of consumer ``who``, with its nondeterministic choices ``said``.

    Raises ``ValueError`` for a wrong number of choices.
    """
    return CONFIGURATION.happens(action, *said, who=who)


def passed_on(s: Ordered) -> dict[str, Value]:
    """Return the changes of a consumer's ghost fields when another consumer gets the lock.

    Ghost fields exist only for proofs.
    """
    return {
        "lost": True,
        "lost_at": If(s.lost, s.lost_at, s.now),
        "call_lost": True,
        "call_lost_at": If(s.call_lost, s.call_lost_at, s.now),
    }


def _take(s: Ordered, then: Ordered, lim: Limits, mine: Bool) -> Step:
    free = Or(s.holder != ME, s.now - s.updated > lim.broker)
    return step(free, holder=OTHER, updated=s.now, **passed_on(s))


OTHERS = (
    Others(
        "others-take",
        "Another consumer takes the lock, which is free or has expired.",
        "this consumer does not hold the lock, or the lock has expired",
        _take,
    ),
    Others(
        "others-give-back",
        "Another consumer releases its lock.",
        "another consumer holds the lock",
        lambda s, then, lim, mine: step(s.holder == OTHER, holder=NOBODY),
    ),
)
"""Everything that other consumers can do to the broker's lock."""


def _before(s: Ordered, lim: Limits) -> Mapping[str, Bool]:
    return {
        "another consumer holds the lock, or the lock is free": Or(s.holder == OTHER, s.holder == NOBODY),
        "the lock was updated before": s.updated <= s.now,
    }


def proof(
    client: OrderedClient,
    world: Circumstances,
    conjuncts: Sequence[Conjunct],
    bad: Bad | None = None,
    conclusion: tuple[str, str] | None = None,
    asked: Callable[[Limits], Mapping[str, Bool]] = lambda limits: {},
) -> Proof:
    """Return a proof about one consumer, for any behaviour of the others.

    ``conjuncts`` are the parts of the invariant; ``bad`` are the excluded states. ``asked``: further assumptions
    about the limits, by sentence.
    """
    idle = ("returns",) if any(one.name == NEVER_LATER.name for one in conjuncts) else ()
    return Proof(
        CONFIGURATION,
        client,
        world,
        conjuncts,
        bad,
        conclusion,
        asked=asked,
        begins=_before,
        others=OTHERS,
        idle=idle,
    )


@cache
def relied_on(client: OrderedClient) -> Obligation:
    """Return the obligation that the client changes the lock only as ``OTHERS`` allows."""
    sentence = (
        "Another consumer never takes the unexpired lock of this consumer. It takes or renews other locks, or releases "
        "its own."
    )
    return rely(proof(client, ANYHOW, ()), OTHERS, sentence=sentence)


def made(proof: Proof, client: OrderedClient) -> tuple[Obligation, ...]:
    """Return all obligations of a proof.

    Before its conclusion comes the obligation about other consumers' effects on the lock.
    """
    *steps, last = proof.obligations()
    return (*steps, relied_on(client), last)
