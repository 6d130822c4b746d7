"""Proofs that the time limits of subscriptions are sharp: runs that take that long.

The runs exist for all limits.
"""

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.state import FLIES, Choices, Limits, Subscription
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.subscriptions.bounds import BOUNDS
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.proofs.subscriptions.members import FOLLOWED, ROOM, SKIPPED

AWAY = Choices.blank().terms()
"""Choices for a heartbeat of another member, which does not subscribe to the topic."""
happens = CONFIGURATION.happens


def as_long(client: SubscriptionsClient) -> Obligation:
    """Return the obligation that a run with a skipped heartbeat reaches the time limit.

    A change comes just after a heartbeat to all brokers has passed this broker. The next periodic heartbeat is due
    before that heartbeat ends.
    """

    def ways(lim: Limits) -> Iterator[Timed]:
        began, over, again = lim.period - lim.beat, lim.period, 2 * lim.period
        first: Timed = [(happens(one), began) for one in ("begins", "sends", "arrives", "raises")]
        skipped: Timed = [(happens(one), over) for one in ("ticks", "ends")]
        yield [*first, *skipped, (happens("ticks"), again), (happens("pulls"), again + lim.beat)]

    def so(s: Subscription, lim: Limits) -> tuple[Bool, ...]:
        return (BOUNDS["accepted"].attained(s, lim),)

    sentence = "A heartbeat is skipped after a change, and the next periodic one too."
    return reaches(CONFIGURATION, client, SKIPPED, "refused-so-long", sentence, ways, so)


def as_long_apart(client: SubscriptionsClient) -> Obligation:
    """Return the obligation that an accepted pull can come as late as the time limit.

    Heartbeats come as late as possible, the topic is removed as early as possible, and pulls come as late as
    possible.
    """

    def ways(lim: Limits) -> Iterator[Timed]:
        out = lim.retry + 1
        taken: Timed = [(happens("others", False, False, False), out), (happens("pulls"), out)]
        back: Timed = [(happens(one), lim.apart) for one in ("sends", "arrives", "ends")]
        yield [*taken, (happens("ticks"), lim.period), *back]

    def so(s: Subscription, lim: Limits) -> tuple[Bool, ...]:
        until = lim.apart + lim.retry
        return ROOM.waits(s, until, lim), BOUNDS["answered"].attained(s.at_time(until), lim)

    def given(lim: Limits) -> Mapping[str, Bool]:
        return {
            "heartbeat gaps are at least the period, and at most the period plus the longest heartbeat": And(
                lim.period <= lim.apart, lim.apart <= lim.period + lim.beat
            ),
            "a pull comes before the next heartbeat is due": lim.apart + lim.retry < 2 * lim.period,
        }

    sentence = "The topic is removed from the table, and all pulls are refused until a pull after the next heartbeat."
    return reaches(CONFIGURATION, client, ROOM, "refused-until-next", sentence, ways, so, given)


def never_again(client: SubscriptionsClient) -> tuple[Obligation, ...]:
    """Return the obligations that refused pulls can stay refused for any length of time."""

    def shut(s: Subscription, lim: Limits, v: SimpleNamespace, **more: Bool) -> dict[str, Any]:
        told = {
            "pulls are refused, because the table does not have the topic": And(s.subscribes, s.refused, Not(s.has))
        }
        asked = FOLLOWED.given(lim) | told | more
        return CONFIGURATION.truths(v) | {words: term(one) for words, one in asked.items()}

    def still(before: Subscription, after: Subscription) -> Bool:
        return And(after.refused, Not(after.has), after.first == before.first)

    def followed(e: Any, v: SimpleNamespace) -> Statement:
        before, _, lim = CONFIGURATION.given(v)
        mine = act_of(e, "arrives")(before, AWAY, lim)
        other = act_of(e, "others")(mine.after, AWAY, lim)
        allowed = FOLLOWED.permits("others", mine.after, AWAY, lim)
        flies = {"a heartbeat of the member is in flight": before.at == FLIES}
        return Statement(
            shut(before, lim, v, **flies), term(And(mine.guard, other.guard, allowed, still(before, other.after)))
        )

    def refused(e: Any, v: SimpleNamespace) -> Statement:
        before, _, lim = CONFIGURATION.given(v)
        turn = act_of(e, "pulls")(before.at_time(v.until), AWAY, lim)
        due = {"no event is due before": FOLLOWED.waits(before, v.until, lim)}
        return Statement(shut(before, lim, v, **due), term(And(turn.guard, still(before, turn.after))))

    def kept(name: str) -> Callable[[Any, SimpleNamespace], Statement]:
        def state(e: Any, v: SimpleNamespace) -> Statement:
            before, choices, lim = CONFIGURATION.given(v)
            turn = act_of(e, name)(before, choices, lim)
            return Statement(
                shut(before, lim, v, **{"the action is possible": turn.guard}), term(still(before, turn.after))
            )

        return state

    last = "Until then, no action of the member makes the broker accept pulls."
    return (
        about(
            CONFIGURATION,
            "followed",
            "The other member's heartbeat follows the member's heartbeat, and restores the state before both.",
            followed,
        ),
        about(CONFIGURATION, "refused-again", "Time passes, and the broker refuses the next pull.", refused, "until"),
        *(about(CONFIGURATION, f"still-{name}", last, kept(name)) for name in ("ticks", "begins", "sends", "ends")),
    )
