"""Guarantees about subscriptions, each with its bad states, invariant, time bound and claims; then the page."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.conjunct import Conjunct
from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.page import (
    Attained,
    Compared,
    Guarantees,
    Holds,
    Lemma,
    Page,
    Property,
    Search,
    Way,
    Words,
    every,
    holds,
    refuted,
)
from rebalance_proofs.model.machine.run import Run, seconds
from rebalance_proofs.model.machine.values import And, Bool, Either, Implies, Int, Not, Or, Span, number, twice
from rebalance_proofs.model.machines.subscriptions.actions import (
    CLIENTS,
    PLAIN,
    PULLS_AT_ONCE,
    PULLS_LATER,
    SLIPS,
    SUBSCRIPTIONS,
    WITH_V2,
    WRONG,
    SubscriptionsClient,
    refuses,
)
from rebalance_proofs.model.machines.subscriptions.assumptions import (
    ADDED,
    ALIKE,
    ANY,
    FOLLOWED,
    FORGOTTEN,
    FREE,
    FREE_THEN,
    LEAVES,
    LOCK_FREE,
    NEWEST,
    ONLY_ONE,
    POSTING,
    QUICK,
    ROOM,
    SAME_EXPRESSIONS,
    SAME_TAGS,
    SINGLE,
    SKIPPED,
    SOON,
    UNALIKE,
    UNLIKE,
)
from rebalance_proofs.model.machines.subscriptions.recorded import TABLE
from rebalance_proofs.model.machines.subscriptions.state import (
    APART,
    BEAT,
    DEFAULTS,
    PARTIES,
    SKIPPED_BEAT,
    Choices,
    Limits,
    Subscription,
    _flies,
)
from rebalance_proofs.model.releases import SOURCES
from rebalance_proofs.model.subscriptions import DONE, FLIES, IDLE, TOGO

_JAVA = "src/main/java/org/apache/rocketmq"
CONSUMER_GROUP_INFO = f"{SOURCES}/broker/{_JAVA}/broker/client/ConsumerGroupInfo.java"
PULL_PROCESSOR = f"{SOURCES}/broker/{_JAVA}/broker/processor/PullMessageProcessor.java"
REBALANCE_PUSH = f"{SOURCES}/client/{_JAVA}/client/impl/consumer/RebalancePushImpl.java"

TABLE_CHANGE = "a table change: the last change of the member's queue table"
PULLING = ("pulls", "firsts", "posts", "pulled")
"""Pulls: explorations omit them if a guarantee is about heartbeats, and end with them otherwise."""
NO_FIRST = ("firsts",)
"""First pulls, which are like other pulls unless a guarantee is about them."""
FOR_ONE = "for one member that subscribes to the topic, all numbers of others, and all limits of time"
Ran = Run[Subscription, Limits]
Promise = Property[Subscription, Limits]
part = Conjunct[Subscription, Limits]
bound = Bound[Subscription, Limits]
guarantee: Guarantees[SubscriptionsClient, Subscription, Limits] = Guarantees()

SUBSCRIBED = part("topic", "The member subscribes to the topic.", lambda s, lim: s.subscribes)
MOVED = part("moved", "The last change is in the past.", lambda s, lim: s.moved <= s.now)
FOUND = part("found", "No pull of the member has skipped the message.", lambda s, lim: Not(s.lost))
FITS = part("fits", "The broker's expression matches the message.", lambda s, lim: Implies(s.has, s.matches))


def _busy(s: Subscription, lim: Limits) -> Bool:
    on_time = And(s.began <= s.now, s.now <= s.began + lim.beat)
    return And(Or(*(s.at == place for place in range(IDLE, DONE + 1))), Implies(s.at != IDLE, on_time))


BUSY = part("busy", "A running heartbeat is within its time limit.", _busy)


def _either(client: SubscriptionsClient, plain: Sequence[Holds] = (), v2: Sequence[Holds] = ()) -> Sequence[Holds]:
    """Return the claims about this client without or with heartbeat V2; none about a client of first pulls."""
    return {PLAIN: plain, WITH_V2: v2}.get(client, ())


@guarantee
def calm(client: SubscriptionsClient) -> Promise:
    """The broker's topic table does not change if all members have the same topics, whatever their versions."""
    return Promise(
        "after the group's first heartbeat, no heartbeat changes the topics in the broker's subscription table",
        CONSUMER_GROUP_INFO,
        _either(client, (holds(ALIKE), refuted(UNALIKE)), (holds(ALIKE),)),
        bad=lambda s, lim: s.stirred,
        broken="a heartbeat changes the topics of the group's table, and every member is notified.",
        invariant=(
            part("own", "The topic table has the member's topics.", lambda s, lim: s.has == s.subscribes),
            part("still", "No heartbeat has changed the topic table.", lambda s, lim: Not(s.stirred)),
        ),
        concluded="still-calm",
        open=True,
        aside=PULLING,
        brief="after the first heartbeat, no heartbeat changes the topics of the broker's table",
        covers=("any subscription versions",),
    )


@guarantee
def exactly(client: SubscriptionsClient) -> Promise:
    """The topic table changes exactly if a heartbeat brings other topics than the previous one."""
    return Promise(
        "a heartbeat changes the broker's topic table, and triggers notifications, exactly if the group's previous "
        "heartbeat had other topics",
        CONSUMER_GROUP_INFO,
        _either(client, (holds(ANY),)),
        bad=lambda s, lim: s.odd,
        broken="a heartbeat changes the topic table, although the previous one had the same topics.",
        invariant=(
            part(
                "as-told",
                "The topic table has the topic exactly if the last heartbeat had it.",
                lambda s, lim: s.has == s.had,
            ),
            part("even", "No heartbeat has changed the topic table wrongly.", lambda s, lim: Not(s.odd)),
        ),
        concluded="changes-exactly",
        open=True,
        aside=PULLING,
    )


@guarantee
def restless(client: SubscriptionsClient) -> Promise:
    """The topic table keeps changing if members have different sets of topics."""
    change = bound(APART, lambda s: True, lambda s: s.changed)

    def ordered(s: Subscription, lim: Limits) -> Bool:
        return And(s.heard <= s.now, s.left <= s.now, s.now <= s.heard + lim.apart, s.now <= s.left + lim.apart)

    return Promise(
        f"the broker's topic table changes and all members are notified at least every {APART.words}",
        CONSUMER_GROUP_INFO,
        _either(client, (holds(UNLIKE, notices=("adds-only",)),)),
        bad=change.exceeded,
        broken=lambda run: f"for {seconds(run.end.now - run.end.changed)} no heartbeat changes the topic table.",
        invariant=(
            SUBSCRIBED,
            part(
                "full", "A heartbeat in flight contains the subscriptions.", lambda s, lim: Implies(_flies(s), s.full)
            ),
            part("ordered", "The last heartbeats of both members are at most maxHeartbeatGap old.", ordered),
            part(
                "recent",
                "The topic was added after the last heartbeat without it, or removed after the member's last "
                "heartbeat.",
                lambda s, lim: Either(s.has, s.changed >= s.left, s.changed >= s.heard),
            ),
        ),
        concluded="not-at-rest",
        bounds=(change,),
        aside=PULLING,
    )


def _refused_in(span: Span) -> Bound[Subscription, Limits]:
    """Return a bound on refused pulls after a table change; the time at which the pull was requested counts."""
    return bound(span, lambda s: s.refused, lambda s: s.moved, lambda s: s.asked)


def _told(of: Bound[Subscription, Limits]) -> Conjunct[Subscription, Limits]:
    return part(
        "told",
        "The last refused pull came within the bound after the last change.",
        lambda s, lim: Implies(of.pending(s), of.at(s) <= of.last(s, lim)),
    )


def _carries(s: Subscription, client: SubscriptionsClient) -> Bool:
    """Return the condition that the running heartbeat brings the member's version to the broker."""
    will = Not(s.known) if client.fingerprints else True
    sent = And(s.at == FLIES, s.carried >= s.mine, s.full)
    return Or(And(s.at == TOGO, will), sent)


def _follows(client: SubscriptionsClient) -> Conjunct[Subscription, Limits]:
    return part(
        "follows",
        "While pulls are refused, the heartbeat that the change has sent is running.",
        lambda s, lim: Implies(refuses(s), And(_carries(s, client), s.began <= s.moved)),
    )


def _late(run: Ran) -> str:
    s = run.end
    moves = [seen.happens.action for seen in run.seen if seen.happens.action in ("raises", "forgets")]
    since = {
        "": "the member's start",
        "raises": "the member's queue table changed",
        "forgets": "the broker forgot the group",
    }[moves[-1] if moves else ""]
    return f"{seconds(s.asked - s.moved)} after {since}, the broker refuses a pull of the member."


@guarantee
def accepted_soon(client: SubscriptionsClient) -> Promise:
    """The broker accepts pulls soon after a change of the member's queues: the change sends a heartbeat."""
    soon = _refused_in(BEAT)
    return Promise(
        f"the broker refuses no pull of a member later than {BEAT.words} after its last queue table change",
        PULL_PROCESSOR,
        _either(client, (holds(FREE), refuted(FREE.dropping(LOCK_FREE))), (holds(FREE),)),
        bad=soon.exceeded,
        broken=_late,
        invariant=(SUBSCRIBED, BUSY, MOVED, _told(soon), _follows(client)),
        concluded="refused-no-longer",
        bounds=(soon,),
        aside=NO_FIRST,
        brief=f"no pull is refused later than {BEAT.words} after a table change",
        where=(TABLE_CHANGE,),
    )


@guarantee
def accepted(client: SubscriptionsClient) -> Promise:
    """The broker accepts pulls after a change, even if its heartbeat was skipped: a later one brings the version."""
    later = _refused_in(SKIPPED_BEAT)

    def tick(s: Subscription, lim: Limits) -> Bool:
        return And(s.now <= s.next, s.next <= s.now + lim.period)

    def catches_up(s: Subscription, lim: Limits) -> Bool:
        latest = s.moved + lim.beat + lim.period
        began = Either(_carries(s, client), s.began <= latest, s.began <= s.moved)
        return Implies(refuses(s), Either(s.at == IDLE, s.next <= latest, began))

    return Promise(
        f"the broker refuses no pull of a member later than {SKIPPED_BEAT.words} after its last queue table change",
        PULL_PROCESSOR,
        _either(client, (holds(SKIPPED), holds(FORGOTTEN), refuted(UNALIKE)), (refuted(SKIPPED), refuted(FORGOTTEN))),
        bad=later.exceeded,
        broken=_late,
        invariant=(
            SUBSCRIBED,
            BUSY,
            MOVED,
            part("tick", "The next periodic heartbeat is due within the period.", tick),
            _told(later),
            part(
                "catches-up",
                "While pulls are refused, a heartbeat with the version is running or due in time.",
                catches_up,
            ),
        ),
        concluded="refused-no-more",
        bounds=(later,),
        aside=NO_FIRST,
        brief=f"no pull is refused later than {SKIPPED_BEAT.words} after a table change",
        where=(TABLE_CHANGE,),
    )


@guarantee
def as_long(client: SubscriptionsClient) -> Promise:
    """The time limit of ``accepted`` is sharp; a pull can be refused for that long."""

    def ways(lim: Limits) -> Iterator[Way]:
        """Yield a run in which a change comes just after a heartbeat to all brokers has passed this broker.

        The next periodic heartbeat is due before that heartbeat ends.
        """
        began, over, again = lim.period - lim.beat, lim.period, 2 * lim.period
        first = [(one, began) for one in ("begins", "sends", "arrives", "raises")]
        yield [*first, ("ticks", over), ("ends", over), ("ticks", again), ("pulls", again + lim.beat)]

    return Promise(
        f"whatever the limits, a pull can be refused {SKIPPED_BEAT.words} after the member's last queue table change",
        REBALANCE_PUSH,
        _either(client, (holds(SKIPPED),)),
        attained=Attained(
            "A heartbeat is skipped after a change, and the next periodic one too.",
            ways,
            lambda s, lim: (_refused_in(SKIPPED_BEAT).attained(s, lim),),
            "refused-so-long",
        ),
        assumes=("a pull of a queue that the change adds or keeps",),
    )


def _unanswered(span: Span) -> Bound[Subscription, Limits]:
    """Return a bound on the time without an accepted pull after a refused one."""
    return bound(span, lambda s: s.refused, lambda s: s.first, sooner=True)


def _silent(run: Ran) -> str:
    return f"{seconds(run.end.now - run.end.first)} after a refused pull, no pull was accepted."


@guarantee
def answered(client: SubscriptionsClient) -> Promise:
    """The broker accepts refused pulls after the next heartbeat."""
    soon = _unanswered(APART)

    def carried(s: Subscription, lim: Limits) -> Bool:
        return Implies(_flies(s), And(s.full, s.carried >= s.mine))

    def open(s: Subscription, lim: Limits) -> Bool:
        refused = Implies(s.now <= s.heard + lim.retry, Not(refuses(s)))
        return And(s.heard <= s.now, s.now <= s.heard + lim.apart, refused)

    def stretch(s: Subscription, lim: Limits) -> Bool:
        closed = refuses(s)
        pulls = And(s.opened <= s.now, s.now <= s.opened + lim.retry)
        came = And(Not(closed), s.opened <= s.heard, s.opened + lim.retry < s.first + lim.apart)
        since = Either(s.heard < s.first, s.first > s.heard + lim.retry, came)
        return Implies(s.refused, And(s.first <= s.now, Implies(Not(closed), pulls), since))

    return Promise(
        f"a refused pull is followed by an accepted one in less than {APART.words}",
        PULL_PROCESSOR,
        _either(client, (holds(ROOM), refuted(ROOM.dropping(LEAVES))), (refuted(ONLY_ONE),)),
        bad=soon.exceeded,
        broken=_silent,
        invariant=(
            SUBSCRIBED,
            part("carried", "A heartbeat in flight has the member's version.", carried),
            part(
                "open",
                "Until one pull interval after the member's heartbeat, the table has the member's subscription.",
                open,
            ),
            part("stretch", "While pulls are refused, the next heartbeat ends that in time.", stretch),
        ),
        concluded="answered-soon",
        bounds=(soon,),
        aside=NO_FIRST,
        brief=f"an accepted pull follows a refused one in under {APART.words}",
    )


@guarantee
def answered_later(client: SubscriptionsClient) -> Promise:
    """The broker accepts refused pulls after the second heartbeat, if heartbeats are heartbeats V2."""
    later = _unanswered(twice(APART))

    def heard(s: Subscription, lim: Limits) -> Bool:
        return And(s.heard <= s.now, s.now <= s.heard + lim.apart)

    def made(s: Subscription, lim: Limits) -> Bool:
        return And(s.mine <= s.carried, Implies(_flies(s), s.full == Not(s.known)))

    def finds_out(s: Subscription, lim: Limits) -> Bool:
        knows = Implies(s.known, And(Not(s.agrees), s.now > s.heard + lim.retry))
        return Implies(refuses(s), And(Not(s.has), lim.retry < lim.apart, knows))

    def stretch(s: Subscription, lim: Limits) -> Bool:
        pulls = And(s.opened <= s.now, s.now <= s.opened + lim.retry)
        over = And(pulls, s.opened <= s.heard, s.opened + lim.retry < s.first + 2 * lim.apart)
        unknown = s.heard + lim.retry < s.first + lim.apart
        since = Either(s.known, s.first > s.heard + lim.retry, unknown)
        return Implies(s.refused, And(s.first <= s.now, Either(refuses(s), since, over)))

    return Promise(
        f"a refused pull is followed by an accepted one in less than {twice(APART).words}",
        PULL_PROCESSOR,
        _either(client, v2=(holds(ONLY_ONE),)),
        bad=later.exceeded,
        broken=_silent,
        invariant=(
            SUBSCRIBED,
            part("heard", "The member's last heartbeat is at most maxHeartbeatGap old.", heard),
            part(
                "made",
                "A heartbeat contains the subscriptions exactly if the client does not know that the broker has them.",
                made,
            ),
            part(
                "finds-out",
                "A client whose topic was removed learns that from a heartbeat, and sends its subscriptions.",
                finds_out,
            ),
            part("stretch", "While pulls are refused, the next two heartbeats end that in time.", stretch),
        ),
        concluded="answered-at-last",
        bounds=(later,),
        aside=NO_FIRST,
    )


@guarantee
def answered_as_late(client: SubscriptionsClient) -> Promise:
    """The time limit of ``answered`` is sharp; an accepted pull can come that late."""

    def ways(lim: Limits) -> Iterator[Way]:
        """Yield a run in which heartbeats and pulls come late, and the topic is removed as early as possible."""
        out = lim.retry + 1
        back = [(one, lim.apart) for one in ("sends", "arrives", "ends")]
        yield [(("others", False, False, False), out), ("pulls", out), ("ticks", lim.period), *back]

    def so(s: Subscription, lim: Limits) -> tuple[Bool, ...]:
        until = lim.apart + lim.retry
        return ROOM.waits(s, until, lim), _unanswered(APART).attained(s.at_time(until), lim)

    def given(lim: Limits) -> Mapping[str, Bool]:
        return {
            "heartbeat gaps are at least the period, and at most the period plus the longest heartbeat": And(
                lim.period <= lim.apart, lim.apart <= lim.period + lim.beat
            ),
            "a pull comes before the next heartbeat is due": lim.apart + lim.retry < 2 * lim.period,
        }

    return Promise(
        f"whatever the limits, an accepted pull can come as late as {APART.words} - 1 ms after a refused one",
        PULL_PROCESSOR,
        _either(client, (holds(ROOM),)),
        attained=Attained(
            "The topic is removed from the table, and all pulls are refused until a pull after the next heartbeat.",
            ways,
            so,
            "refused-until-next",
            given,
        ),
        assumes=(
            "`heartbeatBrokerInterval` <= maxHeartbeatGap <= `heartbeatBrokerInterval` + maxHeartbeat",
            "a pull before the next heartbeat is due",
        ),
    )


@guarantee
def never_answered(client: SubscriptionsClient) -> Promise:
    """The broker may refuse pulls forever, if another member's heartbeat always follows the member's own."""
    away = Choices.blank().terms()  # The other member does not subscribe to the topic.

    def shut(s: Subscription, **more: Bool) -> dict[str, Bool]:
        closed = And(s.subscribes, s.refused, Not(s.has))
        return {"pulls are refused, because the table does not have the topic": closed} | more

    def still(before: Subscription, after: Subscription) -> Bool:
        return And(after.refused, Not(after.has), after.first == before.first)

    def followed(e: Any, s: Subscription, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
        mine = act_of(e, "arrives")(s, away, lim)
        other = act_of(e, "others")(mine.after, away, lim)
        allowed = FOLLOWED.permits("others", mine.after, away, lim)
        flies = {"a heartbeat of the member is in flight": s.at == FLIES}
        return shut(s, **flies), And(mine.guard, other.guard, allowed, still(s, other.after))

    def refused(e: Any, s: Subscription, c: Choices, lim: Limits, until: Int) -> tuple[Mapping[str, Bool], Bool]:
        turn = act_of(e, "pulls")(s.at_time(until), away, lim)
        due = {"no event is due before": FOLLOWED.waits(s, until, lim)}
        return shut(s, **due), And(turn.guard, still(s, turn.after))

    def kept(name: str) -> Lemma:
        def state(e: Any, s: Subscription, c: Choices, lim: Limits) -> tuple[Mapping[str, Bool], Bool]:
            turn = act_of(e, name)(s, c, lim)
            return shut(s, **{"the action is possible": turn.guard}), still(s, turn.after)

        return Lemma(f"still-{name}", "Until then, no action of the member makes the broker accept pulls.", state)

    return Promise(
        "whatever the limits, once a pull is refused for a missing topic, no later pull is ever accepted",
        PULL_PROCESSOR,
        _either(client, (holds(FOLLOWED, scope=FOR_ONE),)),
        lemmas=(
            Lemma(
                "followed",
                "The other member's heartbeat follows the member's heartbeat, and restores the state before both.",
                followed,
            ),
            Lemma("refused-again", "Time passes, and the broker refuses the next pull.", refused, ("until",)),
            *map(kept, ("ticks", "begins", "sends", "ends")),
        ),
    )


@guarantee
def own_tags(client: SubscriptionsClient) -> Promise:
    """No pull of the member skips a message that matches its own tag expression."""

    def own(s: Subscription, lim: Limits) -> Bool:
        return And(s.mine <= s.now, Implies(And(s.has, s.latest >= s.mine), s.matches))

    newest = part("own", "An expression with the member's version, or a newer one, matches the message.", own)
    return Promise(
        "no pull of a member skips a message that matches its own expression",
        PULL_PROCESSOR,
        _either(client, (holds(SAME_TAGS), holds(NEWEST), refuted(SAME_TAGS.dropping(SAME_EXPRESSIONS)))),
        bad=lambda s, lim: s.lost,
        broken="a pull of the member skips a message that matches its own expression.",
        # A version identifies an expression: one with the member's version is the member's.
        invariant=lambda world: (newest if world == NEWEST else FITS, FOUND),
        concluded="own-found",
        open=True,
        aside=NO_FIRST,
    )


@guarantee
def posted(client: SubscriptionsClient) -> Promise:
    """Pulls that carry their tag expression do not depend on the broker's table."""
    return Promise(
        "no pull that carries the member's expression is refused for its subscription or skips a matching message",
        PULL_PROCESSOR,
        _either(client, (holds(POSTING),)),
        bad=lambda s, lim: Or(s.lost, s.refused),
        broken="a pull is refused, or skips a message that matches its expression.",
        invariant=(FOUND, part("let", "No pull was refused.", lambda s, lim: Not(s.refused))),
        concluded="posted-found",
        open=True,
        aside=NO_FIRST,
    )


@guarantee
def all_tags(client: SubscriptionsClient) -> Promise:
    """Other members' pulls skip no matching message, either."""
    return Promise(
        "no pull of any member skips a message that matches one member's expression",
        PULL_PROCESSOR,
        _either(client, (holds(SAME_TAGS), refuted(SAME_TAGS.dropping(SAME_EXPRESSIONS)))),
        bad=lambda s, lim: s.missed,
        broken="a pull of another member skips a message that matches the member's expression.",
        invariant=(
            FITS,
            part("all-found", "No pull of another member has skipped the message.", lambda s, lim: Not(s.missed)),
        ),
        concluded="all-found",
        open=True,
        aside=NO_FIRST,
    )


@guarantee
def first_pull(client: SubscriptionsClient) -> Promise:
    """The broker accepts the first pull of an added queue: the change has sent a heartbeat before."""
    later = (holds(QUICK), refuted(QUICK.dropping(FREE_THEN)), refuted(QUICK.dropping(SOON)))
    return Promise(
        "the broker accepts the first pull of an added queue",
        REBALANCE_PUSH,
        {PULLS_AT_ONCE: (refuted(ADDED),), PULLS_LATER: later}.get(client, ()),
        bad=lambda s, lim: s.barred,
        broken="the broker refuses the first pull of a queue that the member has added.",
        invariant=(
            SUBSCRIBED,
            BUSY,
            _follows(client),
            part("in-time", "No first pull was refused.", lambda s, lim: Not(s.barred)),
        ),
        concluded="first-let-through",
    )


# ---- States in which code and terms are compared, with older, equal and newer versions

_NOW = 5
"""Version of new subscriptions, and the current time; old subscriptions have version 0."""
_BETWEEN = {"at": IDLE, "began": 0, "next": _NOW + 1, "carried": 0, "full": 1}
_HEARTBEATS = (
    _BETWEEN,
    _BETWEEN | {"next": _NOW},
    _BETWEEN | {"at": TOGO, "began": 3, "next": _NOW},
    *(
        _BETWEEN | {"at": FLIES, "began": 3, "carried": carried, "full": full}
        for carried, full in product((3, 4), (0, 1))
    ),
    _BETWEEN | {"at": DONE, "began": 3},
)
"""States of the member's heartbeat: not begun, waiting for its turn, in flight, processed."""
_TABLES = (
    {"has": 0, "latest": 0, "matches": 1},
    *({"has": 1, "latest": version, "matches": matches} for version, matches in product((0, 4, _NOW), (0, 1))),
)
"""States of the topic's subscription in the broker's table: none, or with a version."""
_TIMES = {"heard": 1, "left": 2, "changed": 2, "asked": 4, "first": 3, "opened": 2}
_BEFORE = tuple(
    _TIMES
    | {"refused": refused, "had": had, "fresh": fresh, "moved": moved, "notified": 1 + wrong}
    | dict.fromkeys(("odd", "stirred", "lost", "missed", "barred"), wrong)
    for refused, had, wrong, fresh, moved in ((0, 0, 0, 1, 3), (1, 1, 0, 1, 4), (0, 1, 1, 0, 3), (1, 0, 0, 0, 3))
)
"""Recorded results of earlier steps, which later steps and guarantees use."""


def _given(run: Ran) -> str:
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


TICKS = Limits(period=3, beat=1, retry=1, apart=4, delay=1)


def _limits(client: SubscriptionsClient, claim: Holds) -> tuple[Limits, Limits]:
    """Return a claim's time limits, in ms and in ticks.

    A heartbeat takes at most 0.4 s if it must end before first pulls. The gap between heartbeats is shorter if a
    violation takes three heartbeats.
    """
    if SINGLE in claim.world and claim.holds:
        return DEFAULTS, TICKS.but(period=2, apart=3)
    return (DEFAULTS.but(beat=400), TICKS.but(delay=2)) if SOON in claim.world else (DEFAULTS, TICKS)


PAGE = Page(
    "subscriptions",
    SUBSCRIPTIONS,
    CLIENTS,
    guarantee,
    WRONG,
    SLIPS,
    examples=DEFAULTS,
    search=Search(
        TICKS,
        end=9,
        most=15,
        numbers=lambda limits: {"version": 0},  # A version that is not the newest is the member's first one.
        ends=PULLING,
        # Equal subscriptions and groups have equal fingerprints.
        follows=lambda c: c.but(same=Or(c.same, And(c.topic, c.takes))),
        around=(2, 1),
        fits=_limits,
    ),
    compared=Compared(
        "heartbeats",
        "heartbeats",
        Limits(period=7, beat=3, retry=2, apart=9, delay=2),
        (
            _HEARTBEATS,
            _TABLES,
            every(known=2, agrees=2),
            [{"subscribes": subscribes, "mine": 4} for subscribes in (0, 1)],
            _BEFORE,
        ),
        now=_NOW,
    ),
    words=Words(
        "Subscriptions",
        "How members of a group affect each other's subscriptions. A broker has one table for all of them. The last "
        "heartbeat sets its topics, the newest version sets the tags, and the broker checks pulls against it.",
        about=lambda client: f"One member of a group of {client.rocketmq_name}, all others, and one broker.",
        given=_given,
        who="a member",
        around="1 member, 1 topic",
        called="subscriptions",
        counted="with subscriptions",
        state="a subscription",
        code="the code of client and broker",
        parties=PARTIES,
    ),
    scopes=(
        "for all numbers of members and topics, and all limits of time",
        "two members suffice; the shortest run, in ticks, is shown",
    ),
    shown=TABLE,
)
