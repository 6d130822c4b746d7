"""That no shorter time is enough: runs that take so long, whatever the limits are."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace

import z3

from rebalance_proofs.model.subscriptions.actions import SubscriptionsEncoding
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.state import FLIES, Said, State
from rebalance_proofs.model.terms.truth import NO
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.subscriptions import invariant
from rebalance_proofs.proofs.subscriptions.inductive import about, possible
from rebalance_proofs.proofs.subscriptions.members import FOLLOWED, ROOM, SKIPPED, Members
from rebalance_proofs.proofs.subscriptions.schedule import happens
from rebalance_proofs.proofs.subscriptions.situation import Situation, situation
from rebalance_proofs.proofs.subscriptions.variables import LIMITS, flags, limits_of, said_of, state_of

__all__ = ["as_long", "as_long_apart", "never_again"]

Timed = list[tuple[Happens, z3.ArithRef]]
"""What happens, and when."""
AWAY = Said(topic=NO, takes=NO, same=NO, version=z3.IntVal(0))
"""A heartbeat of a member that does not subscribe to the topic."""


def _run(
    client: SubscriptionsClient, e: SubscriptionsEncoding, v: SimpleNamespace, world: Members, timed: Timed
) -> Situation:
    schedule, times = zip(*timed, strict=True)
    return situation(e, world, limits_of(v), schedule, times, fingerprints=client.fingerprints)


def as_long(client: SubscriptionsClient) -> Iterator[Obligation]:
    """One: a change comes just when a heartbeat to all brokers has left this one behind, and the next periodic one is
    due before that is over."""

    def state(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        limits = limits_of(v)
        began, over, again = limits.period - limits.beat, limits.period, 2 * limits.period
        first: Timed = [(happens(one), began) for one in ("begins", "sends", "arrives", "raises")]
        skipped: Timed = [(happens(one), over) for one in ("ticks", "ends")]
        last: Timed = [(happens("ticks"), again), (happens("pulls"), again + limits.beat)]
        found = _run(client, e, v, SKIPPED, [*first, *skipped, *last])
        me = found.state.me
        refused = z3.And(me.refused, me.asked == me.moved + invariant.longest(limits))
        return Statement(possible(limits), z3.And(*found.constraints.values(), refused))

    sentence = "A heartbeat is skipped after a change, and the next periodic one too."
    yield Obligation("refused-so-long", sentence, LIMITS, state)


def as_long_apart(client: SubscriptionsClient) -> Iterator[Obligation]:
    """One: heartbeats come as late as they may, the topic is taken out as soon as it may, and pulls come as late."""

    def state(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        limits = limits_of(v)
        out, back = limits.retry + 1, limits.apart
        timed: Timed = [
            (happens("others", False, False, False), out),
            (happens("pulls"), out),
            (happens("ticks"), limits.period),
            *((happens(one), back) for one in ("sends", "arrives", "ends")),
        ]
        found = _run(client, e, v, ROOM, timed)
        me, until = found.state.me, back + limits.retry
        can = ROOM.waits(found.state, until, limits)
        refused = z3.And(me.refused, until == me.first + limits.apart - 1)
        given = possible(limits) | {
            "heartbeats are apart by the period, and by what one takes at most": z3.And(
                limits.period <= limits.apart, limits.apart <= limits.period + limits.beat
            ),
            "a pull comes before the next one is due": limits.apart + limits.retry < 2 * limits.period,
        }
        return Statement(given, z3.And(*found.constraints.values(), can, refused))

    sentence = "The topic is taken out of the table, and until a pull comes after the next heartbeat all are refused."
    yield Obligation("refused-until-next", sentence, LIMITS, state)


def never_again(client: SubscriptionsClient) -> Iterator[Obligation]:
    """Three: where pulls are refused, nothing that happens changes that, however long it goes on."""
    shut = {"pulls are refused, for there is no such topic in the table"}

    def given(v: SimpleNamespace) -> dict[str, z3.BoolRef]:
        me = state_of(v).me
        (words,) = shut
        told = {words: z3.And(me.topic, me.refused, z3.Not(me.has))}
        return flags(v) | possible(limits_of(v)) | told

    def still(before: State, after: State) -> z3.BoolRef:
        me = after.me
        return z3.And(me.refused, z3.Not(me.has), me.first == before.me.first)

    def followed(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        before, limits = state_of(v), limits_of(v)
        mine = e.arrives(before, AWAY, limits)
        other = e.others(mine.after, AWAY, limits)
        allowed = FOLLOWED.allows("others", mine.after, AWAY, limits)
        flies = {"a heartbeat of the member's is on its way": before.me.at == FLIES}
        return Statement(given(v) | flies, z3.And(mine.can, other.can, allowed, still(before, other.after)))

    def refused(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
        before, limits = state_of(v), limits_of(v)
        later = replace(before, now=v.until)
        turn = e.pulls(later, AWAY, limits)
        due = {"nothing is due before": FOLLOWED.waits(before, v.until, limits)}
        return Statement(given(v) | due, z3.And(turn.can, still(before, turn.after)))

    def kept(name: str) -> Callable[[SubscriptionsEncoding, SimpleNamespace], Statement]:
        def state(e: SubscriptionsEncoding, v: SimpleNamespace) -> Statement:
            before = state_of(v)
            turn = getattr(e, name)(before, said_of(v), limits_of(v))
            return Statement(given(v) | {"it is possible": turn.can}, still(before, turn.after))

        return state

    yield about("followed", "The member's heartbeat comes, and then the other one's. All is as before.", followed)
    yield about("refused-again", "Time passes, and a pull comes: it is refused.", refused, "until")
    for name in ("ticks", "begins", "sends", "ends"):
        yield about(f"still-{name}", "Nothing that the member does before that changes it.", kept(name))
