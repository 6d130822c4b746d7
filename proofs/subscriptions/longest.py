"""Proofs that the time limits are sharp: runs that take that long, for all limits."""

from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Bool, Not, term
from rebalance_proofs.model.subscriptions.clients import SubscriptionsClient
from rebalance_proofs.model.subscriptions.limits import Limits
from rebalance_proofs.model.subscriptions.state import FLIES, Choices, Subscription
from rebalance_proofs.proofs.machine.induction import about
from rebalance_proofs.proofs.machine.unrolling import Timed, reaches
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.subscriptions.bounds import BOUNDS
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION
from rebalance_proofs.proofs.subscriptions.members import FOLLOWED, ROOM, SKIPPED

__all__ = ["as_long", "as_long_apart", "never_again"]

AWAY = Choices.blank().terms()
"""Choices for a heartbeat of a member that does not subscribe to the topic."""
happens = CONFIGURATION.happens


def as_long(client: SubscriptionsClient) -> Obligation:
    """Obligation that such a run is possible: a change comes just after a heartbeat to all brokers has passed this
    broker, and the next periodic heartbeat is due before that one is over."""

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
    """Obligation that such a run is possible: heartbeats come as late as they may, the topic is removed as early as
    possible, and pulls come as late as they may."""

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
            "heartbeats are apart by the period, and by at most the longest heartbeat more": And(
                lim.period <= lim.apart, lim.apart <= lim.period + lim.beat
            ),
            "a pull comes before the next one is due": lim.apart + lim.retry < 2 * lim.period,
        }

    sentence = "The topic is taken out of the table, and until a pull comes after the next heartbeat all are refused."
    return reaches(CONFIGURATION, client, ROOM, "refused-until-next", sentence, ways, so, given)


def never_again(client: SubscriptionsClient) -> tuple[Obligation, ...]:
    """Obligations that refused pulls stay refused whatever happens, for any length of time."""

    def shut(s: Subscription, lim: Limits, v: SimpleNamespace, **more: Bool) -> dict[str, Any]:
        told = {"pulls are refused, for there is no such topic in the table": And(s.subscribes, s.refused, Not(s.has))}
        asked = FOLLOWED.given(lim) | told | more
        return CONFIGURATION.truths(v) | {words: term(one) for words, one in asked.items()}

    def still(before: Subscription, after: Subscription) -> Bool:
        return And(after.refused, Not(after.has), after.first == before.first)

    def followed(e: Any, v: SimpleNamespace) -> Statement:
        before, _, lim = CONFIGURATION.given(v)
        mine = act_of(e, "arrives")(before, AWAY, lim)
        other = act_of(e, "others")(mine.after, AWAY, lim)
        allowed = FOLLOWED.permits("others", mine.after, AWAY, lim)
        flies = {"a heartbeat of the member's is on its way": before.at == FLIES}
        return Statement(
            shut(before, lim, v, **flies), term(And(mine.guard, other.guard, allowed, still(before, other.after)))
        )

    def refused(e: Any, v: SimpleNamespace) -> Statement:
        before, _, lim = CONFIGURATION.given(v)
        turn = act_of(e, "pulls")(before.at_time(v.until), AWAY, lim)
        due = {"nothing is due before": FOLLOWED.waits(before, v.until, lim)}
        return Statement(shut(before, lim, v, **due), term(And(turn.guard, still(before, turn.after))))

    def kept(name: str) -> Callable[[Any, SimpleNamespace], Statement]:
        def state(e: Any, v: SimpleNamespace) -> Statement:
            before, choices, lim = CONFIGURATION.given(v)
            turn = act_of(e, name)(before, choices, lim)
            return Statement(shut(before, lim, v, **{"it is possible": turn.guard}), term(still(before, turn.after)))

        return state

    last = "Nothing that the member does before that changes it."
    return (
        about(
            CONFIGURATION,
            "followed",
            "The member's heartbeat comes, and then the other one's. All is as before.",
            followed,
        ),
        about(CONFIGURATION, "refused-again", "Time passes, and a pull comes: it is refused.", refused, "until"),
        *(about(CONFIGURATION, f"still-{name}", last, kept(name)) for name in ("ticks", "begins", "sends", "ends")),
    )
