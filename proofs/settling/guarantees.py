"""What is claimed about settling."""

from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace

import z3

from rebalance_proofs.model.settling.actions import SettlingEncoding
from rebalance_proofs.model.settling.clients import SettlingClient
from rebalance_proofs.model.settling.limits import Limits
from rebalance_proofs.model.settling.state import RUNS, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.settling import invariant, longest
from rebalance_proofs.proofs.settling.inductive import about, kept, well
from rebalance_proofs.proofs.settling.notices import NO_TIMER, UNTIMELY, Notices
from rebalance_proofs.proofs.settling.run import Run
from rebalance_proofs.proofs.settling.situation import Situation
from rebalance_proofs.proofs.settling.sources import REBALANCE_SERVICE, SERVICE_THREAD
from rebalance_proofs.proofs.settling.variables import limits_of, state_of

__all__ = ["Bad", "apart", "as_long", "bad_of", "holds", "settles", "woken"]

Bad = Callable[[State, Limits], z3.BoolRef]


def _late(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.changed, state.now > me.due, z3.Not(me.right))


def _unanswered(client: SettlingClient) -> Bad:
    def bad(state: State, limits: Limits) -> z3.BoolRef:
        me = state.me
        return z3.And(me.heard, state.now > invariant.woken_by(state, limits, client), z3.Not(me.right))

    return bad


def _too_soon(state: State, limits: Limits) -> z3.BoolRef:
    me = state.me
    return z3.And(me.at == RUNS, me.ended, me.began < me.last + limits.least)


def _never(state: State, limits: Limits) -> z3.BoolRef:
    return NO


def bad_of(claim: Claim) -> Bad:
    """What must not be so, of the thread's state."""
    client: SettlingClient = claim.subjects[0]
    by_name = {"settles": _late, "woken": _unanswered(client), "apart": _too_soon}
    return by_name.get(claim.guarantee.name, _never)


def holds(guarantee: str, client: SettlingClient, world: Notices) -> bool:
    """Whether it is given there."""
    if guarantee == "apart":
        return client.least
    return world not in (NO_TIMER, UNTIMELY)


def _proved(
    name: str, sentence: str, client: SettlingClient, conjuncts: invariant.Conjuncts, bad: Bad, step: str = ""
) -> Callable[[Notices], tuple[Obligation, ...]]:
    @cache
    def obligations(world: Notices) -> tuple[Obligation, ...]:
        def steps() -> Iterator[Obligation]:
            yield from kept(conjuncts, world, () if client.least else ("postpones",))

            def shown(e: SettlingEncoding, v: SimpleNamespace) -> Statement:
                return Statement(well(conjuncts, v), z3.Not(bad(state_of(v), limits_of(v))))

            yield about(step or name, f"Where all is well, {sentence}.", shown)

        return tuple(steps()) if holds(name, client, world) else ()

    return obligations


def _violated(bad: Bad) -> Callable[[Situation], z3.BoolRef]:
    return lambda found: z3.simplify(bad(found.state, found.limits))


def _seconds(ms: int) -> str:
    return f"{ms / 1000:,.3f} s"


@cache
def settles(client: SettlingClient) -> Guarantee:
    """A change is seen, whoever is told of it."""
    sentence = (
        f"at most {_wait(client)} and twice the longest rebalance of all groups after the last change of what a client "
        "is told when it asks, a rebalance has ended that has seen it, whether the client is notified or not"
    )

    def seen(run: Run) -> str | None:
        if run.changed is None or run.right:
            return None
        due = run.changed + 2 * run.limits.loop + client.longest_wait(run.limits)
        if run.end <= due:
            return None
        return f"{_seconds(run.end - run.changed)} after the change no rebalance has seen it."

    conjuncts = invariant.settles(client)
    obligations = _proved("settles", "the change is seen in time", client, conjuncts, _late)
    return Guarantee("settles", sentence, REBALANCE_SERVICE, obligations, _violated(_late), seen)


@cache
def woken(client: SettlingClient) -> Guarantee:
    """A notification is worth more than the timer."""
    least = "the least interval and " if client.least else ""
    sentence = (
        f"at most {least}twice the longest rebalance of all groups after a client was notified of the last change, a "
        "rebalance has ended that has seen it"
    )

    def seen(run: Run) -> str | None:
        if run.heard is None or run.right:
            return None
        by = run.heard + 2 * run.limits.loop + (run.limits.least if client.least else 0)
        if run.end <= by:
            return None
        return f"{_seconds(run.end - run.heard)} after the notification no rebalance has seen the change."

    bad = _unanswered(client)
    obligations = _proved("woken", "the notification is answered in time", client, invariant.soon(client), bad)
    return Guarantee("woken", sentence, SERVICE_THREAD, obligations, _violated(bad), seen)


@cache
def apart(client: SettlingClient) -> Guarantee:
    """However many notifications come."""
    sentence = "from the end of a rebalance to the beginning of the next one it is at least the least interval"

    def seen(run: Run) -> str | None:
        if run.began is None or run.ended is None or run.began >= run.ended + run.limits.least:
            return None
        return f"a rebalance begins {_seconds(run.began - run.ended)} after the end of the last one."

    obligations = _proved("apart", sentence, client, invariant.apart(client), _too_soon, "no-sooner")
    return Guarantee("apart", sentence, REBALANCE_SERVICE, obligations, _violated(_too_soon), seen)


@cache
def as_long(client: SettlingClient) -> Guarantee:
    """No shorter time is enough."""
    return Guarantee(
        "as-long",
        f"whatever the limits are, it can be {_wait(client)} and twice the longest rebalance of all groups after the "
        "change until a rebalance ends that has seen it",
        REBALANCE_SERVICE,
        lambda world: tuple(longest.obligations(client)),
        _violated(_never),
        lambda run: None,
    )


def _wait(client: SettlingClient) -> str:
    return "the wait, or the least interval if that is longer," if client.least else "the wait"
