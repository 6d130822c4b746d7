"""Worlds of groups whose assignment the broker computes, for each popShareQueueNum k.

In all of them, the members see the same lists. The first digit is k + 1: k runs from -1 to the number n of members,
beyond which nothing changes.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import Any

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import broker, pulled
from rebalance_proofs.model.assignment.encoding import PopEncoding
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import NO, simplify
from rebalance_proofs.model.worlds.groups import (
    AGREED,
    SAME_STRATEGY,
    Groups,
    Member,
    SymbolicGroup,
    Values,
    in_range,
    some_queue,
    variables,
)
from rebalance_proofs.model.worlds.groups import OWN_ID_LISTED as LISTED
from rebalance_proofs.model.worlds.joins import with_reference

SOURCE = (
    "https://github.com/apache/rocketmq/blob/rocketmq-all-5.5.0/broker/src/main/java/org/apache/rocketmq/broker/"
    "processor/QueryAssignmentProcessor.java"
)
GROUP = "G"


@dataclass(frozen=True)
class Share:
    """The popShareQueueNum of a group, and what else its members' assignment depends on (``model.group.Setting``)."""

    number: int
    further: tuple[str, ...] = ()
    pulls: tuple[bool, ...] = ()
    """For each member, whether it pulls; empty if all members have the same mode."""
    unlisted: tuple[bool, ...] = ()
    """For each member, whether its id is missing from cidAll; empty if none is."""
    retry: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """Return sentences for the printed description of the group."""
        return (f"popShareQueueNum is {self.number}.", *self.further)


@dataclass(frozen=True, kw_only=True)
class PopGroup(SymbolicGroup):
    """A symbolic group whose members the broker assigns queues in pop mode."""

    encoding: PopEncoding
    share: smt.IntTerm
    """popShareQueueNum."""
    pulls: tuple[smt.BoolTerm, ...] = ()
    """For each member, whether it pulls."""
    retry: smt.BoolTerm = NO
    """Whether the topic is a retry topic."""
    unlisted: tuple[smt.BoolTerm, ...] = ()
    """For each member, whether its id is missing from cidAll."""


Radices = Callable[[int], Sequence[int]]
"""``radices(n)``: the numbers of values of the digits after the first one, for n members."""


def _world(names: Callable[[int], Sequence[str]], radices: Radices, bound: tuple[int, int], **fields: Any) -> Groups:
    """Build a world with the digit for k and further digits, whose unknowns have these names."""

    def every(n: int, q: int) -> tuple[int, ...]:
        return (n + 2, *radices(n))

    def assignment(n: int, q: int, values: Values, queue: int) -> dict[str, int]:
        return {"q": q, "p": queue, "k": values[0] - 1} | dict(zip(names(n), values[1:], strict=True))

    def configuration(n: int, assignment: Mapping[str, int]) -> tuple[int, Values]:
        return assignment["q"], (assignment["k"] + 1, *(assignment[name] for name in names(n)))

    return Groups(
        source=SOURCE,
        radices=every,
        admits=lambda n, q, values: True,
        groups=lambda n, q: prod(every(n, q)),
        assignment=assignment,
        configuration=configuration,
        bound=bound,
        **({"otherwise": "", "without": ""} | fields),
    )


def _unknowns(
    n: int, names: Sequence[str], radices: Sequence[int]
) -> tuple[smt.IntTerm, smt.IntTerm, smt.IntTerm, tuple[smt.IntTerm, ...], tuple[smt.BoolTerm, ...]]:
    """Return q, p, k, the other unknowns, and the constraints on all of them."""
    q, position, k = variables("q", "p", "k")
    others = variables(*names)
    return q, position, k, others, (*some_queue(q, position), -1 <= k, k <= n, *in_range(others, radices))


def _members(encoding: PopEncoding, n: int, view: tuple[smt.IntTerm, smt.IntTerm, smt.IntTerm]) -> tuple[Member, ...]:
    """Return n members in pop mode. ``view``: q, p and k."""
    q, position, k = view
    return tuple(Member(encoding.at(k), q, smt.IntVal(n), smt.IntVal(place), position) for place in range(n))


@cache
def at_share(strategy: Strategy, share: int) -> Strategy:
    """Return the strategy with this popShareQueueNum, in its code and its encoding."""
    return replace(strategy.configured(share=share), encoding=strategy.encoding.at(smt.IntVal(share)))


def group(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return n members in pop mode that agree on everything."""
    share = values[0] - 1
    return replace(AGREED.group((at_share(strategies[0], share),), n, q, ()), setting=Share(share))


def symbolic(encodings: Sequence[PopEncoding], n: int) -> PopGroup:
    """Return n members in pop mode as SMT terms, for any number q of queues."""
    q, p, k, _, constraints = _unknowns(n, (), ())
    members = _members(encodings[0], n, (q, p, k))
    return PopGroup(q, members, constraints, (q, p, k), encoding=encodings[0], share=k)


POPS = _world(
    lambda n: (),
    lambda n: (),
    (12, 14),
    name="pop",
    sentence="All members pop, and the broker sees the same sorted mqAll and cidAll for each of them.",
    group=group,
    symbolic=symbolic,
)
"""The world where all members pop and all assumptions hold."""


# The world of a join (in reverse: a leave) with the same k.


def group_join(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return the group after the join; the second digit is the joiner's index."""
    return with_reference(group(strategies, n, q, values), values[1])


def symbolic_join(encodings: Sequence[PopEncoding], n: int) -> PopGroup:
    """Return n members before and after the join as SMT terms."""
    q, p, k, (joiner,), constraints = _unknowns(n, ("joiner0",), (n,))
    after = _members(encodings[0], n, (q, p, k))
    before = tuple(
        replace(
            member,
            consumers=smt.IntVal(max(n - 1, 1)),
            index=smt.If(joiner < place, place - 1, place),
            listed=joiner != place,
        )
        for place, member in enumerate(after)
    )
    return PopGroup(q, after, constraints, (q, p, k, joiner), before, encoding=encodings[0], share=k)


JOINED = _world(
    lambda n: ("joiner0",),
    lambda n: (n,),
    (8, 10),
    name="pop-join",
    sentence="All members pop and see the same lists; one has just joined (in reverse: is about to leave).",
    group=group_join,
    symbolic=symbolic_join,
)


# The world where some members pop and others pull.
# Members with ``clientRebalance`` pull what their own strategy gives them. The broker counts all members.


def group_mixed(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n members; digit k + 1 is 1 if member k pulls.

    It pulls by the strategy itself, or by the second of two strategies.
    """
    share, pulls = values[0] - 1, tuple(map(bool, values[1:]))
    pops, *other = at_share(strategies[0], share), *strategies[1:]
    queues, ids = one_broker(q), client_ids(n)
    pulling = other[0] if other else pulled(strategies[0])
    consumers = tuple(
        Consumer(client_id, queues, ids, pulling if pull else pops) for client_id, pull in zip(ids, pulls, strict=True)
    )
    said = " and ".join(client_id for client_id, pull in zip(ids, pulls, strict=True) if pull)
    further = f"Pulling: {said}." if said else "All members pop."
    return Group(queues, consumers, Share(share, (further,), pulls))


def symbolic_mixed(encodings: Sequence[Any], n: int) -> PopGroup:
    """Return n members of which some pull as SMT terms; see ``group_mixed``."""
    names = _pulls(n)
    q, p, k, digits, constraints = _unknowns(n, names, (2,) * n)
    pulls = tuple(digit == 1 for digit in digits)
    popping = _members(encodings[0], n, (q, p, k))
    members = tuple(
        replace(member, encoding=_either(pull, encodings[-1], member.encoding))
        for pull, member in zip(pulls, popping, strict=True)
    )
    return PopGroup(q, members, constraints, (q, p, k, *digits), encoding=encodings[0], share=k, pulls=pulls)


def _either(condition: smt.BoolTerm, one: Any, other: Any) -> Any:
    """Return the encoding that is ``one`` under a condition, else ``other``."""
    return replace(
        other,
        owns=lambda *view: smt.If(condition, one.owns(*view), other.owns(*view)),
        count=lambda *view: smt.If(condition, one.count(*view), other.count(*view)),
        element=lambda *view: smt.If(condition, one.element(*view), other.element(*view)),
        rank=lambda *view: smt.If(condition, one.rank(*view), other.rank(*view)),
    )


def _pulls(n: int) -> tuple[str, ...]:
    return tuple(f"pulls{place}" for place in range(n))


MIXED = replace(
    _world(
        _pulls,
        lambda n: (2,) * n,
        (5, 6),
        name="mixed-modes",
        sentence="All members see the same lists; each of them pops or pulls.",
        group=group_mixed,
        symbolic=symbolic_mixed,
    ),
    beyond="some members pull and others pop",
)


MIXED_STRATEGIES = _world(
    _pulls,
    lambda n: (2,) * n,
    (5, 6),
    name="same-strategy",
    sentence="Members that pull use the strategy by which the broker assigns the others' queues.",
    otherwise="members that pull use another strategy than the broker",
    drops=SAME_STRATEGY,
    without="The broker gets the strategy's name from the members that pop; the others divide the queues themselves.",
    group=group_mixed,
    symbolic=symbolic_mixed,
    subjects=2,
)


# The world where the broker lists an old id instead of a member's own.


def group_unlisted(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group of n members; digit k + 1 is 1 if cidAll has an old id instead of member k's."""
    bare = group(strategies, n, q, values)
    old = tuple(map(bool, values[1:]))
    listed = tuple(f"{one}-old" if gone else one for one, gone in zip(client_ids(n), old, strict=True))
    strategy = bare.consumers[0].strategy
    # No encoding of a strategy describes a member that is not in cidAll.
    stranger = replace(strategy, encoding=None)
    consumers = tuple(
        replace(consumer, cid_all=listed, strategy=stranger if gone else strategy)
        for consumer, gone in zip(bare.consumers, old, strict=True)
    )
    return Group(bare.queues, consumers, Share(values[0] - 1, unlisted=old))


def symbolic_unlisted(encodings: Sequence[PopEncoding], n: int) -> PopGroup:
    """Return n members of which some are not in cidAll as SMT terms."""
    q, p, k, digits, constraints = _unknowns(n, _olds(n), (2,) * n)
    old = tuple(digit == 1 for digit in digits)
    e, c = encodings[0], smt.IntVal(n)
    members = []
    for gone, member in zip(old, _members(e, n, (q, p, k)), strict=True):
        empty = smt.And(gone, e.listed_only(c, k))
        count, owns = member.encoding.count, member.encoding.owns
        some = replace(
            member.encoding,
            count=lambda *view, no=empty, count=count: smt.If(no, 0, count(*view)),
            owns=lambda *view, no=empty, owns=owns: smt.And(smt.Not(no), owns(*view)),
        )
        members.append(replace(member, encoding=some))
    return PopGroup(q, tuple(members), constraints, (q, p, k, *digits), encoding=e, share=k, unlisted=old)


def _olds(n: int) -> tuple[str, ...]:
    return tuple(f"old{place}" for place in range(n))


UNLISTED = _world(
    _olds,
    lambda n: (2,) * n,
    (5, 6),
    name="own-id-listed",
    sentence="Every consumer finds its own id in cidAll.",
    otherwise="a consumer's own id is missing from cidAll",
    drops=LISTED,
    without="A consumer restarted under a new id (with its new pid); the broker still lists the old connection.",
    group=group_unlisted,
    symbolic=symbolic_unlisted,
)


# The world of all modes: of the topic's kind, a request to set the mode, and the broker's default.

REQUESTED = (None, broker.PULL, broker.POP)
DEFAULTS = (broker.PULL, broker.POP)
MODES = ("retry", "requested", "default")


def processor(
    topic: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str], asked: str | None, default: int, share: int
) -> broker.QueryAssignmentProcessor:
    """Return the broker's processor after a request for the mode ``asked``, if any.

    ``default`` is the index of the default mode in ``DEFAULTS``; ``share`` is popShareQueueNum, set or by default.
    """
    made = broker.QueryAssignmentProcessor(
        {topic: frozenset(mq_all)},
        {GROUP: cid_all},
        broker.Configured(default_message_request_mode=DEFAULTS[default], default_pop_share_queue_num=share),
    )
    if asked:
        with suppress(broker.NotAllowed):
            made.set_message_request_mode(topic, GROUP, broker.RequestMode(asked, share))
    return made


@cache
def answered(strategy: Strategy, topic: str, share: int, requested: int, default: int) -> Strategy:
    """Return the strategy that is the whole processor's answer after a request for a mode.

    ``requested`` and ``default`` are indexes in ``REQUESTED`` and ``DEFAULTS``.
    """

    def reads(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        answering = processor(topic, mq_all, cid_all, REQUESTED[requested], default, share)
        name = pulled(strategy).rocketmq_name
        assigned, _ = answering.query_assignment(topic, GROUP, current_cid, strategy_name=name)
        return broker.read_queues(tuple(assigned or ()), mq_all)

    e, retry = strategy.encoding, topic.startswith(broker.RETRY_GROUP_TOPIC_PREFIX)
    pops = smt.is_true(simplify(e.pops(*map(smt.IntVal, (int(retry), requested, default)))))
    return replace(strategy, allocate=reads, encoding=e.at(smt.IntVal(share)) if pops else e)


def group_modes(strategies: Sequence[Strategy], n: int, q: int, values: Values) -> Group:
    """Return a group whose assignment is the whole processor's answer; see ``MODES`` for the digits after k."""
    share, retry, requested, default = values[0] - 1, *values[1:]
    topic = f"{broker.RETRY_GROUP_TOPIC_PREFIX}{GROUP}" if retry else "T"
    queues, ids = one_broker(q, topic), client_ids(n)
    strategy = answered(strategies[0], topic, share, requested, default)
    asked = REQUESTED[requested]
    said = (
        f"The topic is {topic}.",
        f"The request to set the mode is {asked}." if asked else "No mode is requested.",
        f"The broker's default mode is {DEFAULTS[default]}.",
    )
    consumers = tuple(Consumer(client_id, queues, ids, strategy) for client_id in ids)
    return Group(queues, consumers, Share(share, said, retry=bool(retry)))


def symbolic_modes(encodings: Sequence[PopEncoding], n: int) -> PopGroup:
    """Return n members whose mode depends on unknown requests and settings as SMT terms."""
    q, p, k, digits, constraints = _unknowns(n, MODES, (2, 3, 2))
    e = encodings[0]
    pulls = smt.Not(e.pops(*digits))
    members = tuple(
        replace(member, encoding=_either(pulls, e, member.encoding)) for member in _members(e, n, (q, p, k))
    )
    return PopGroup(
        q, members, constraints, (q, p, k, *digits), encoding=e, share=k, pulls=(pulls,) * n, retry=digits[0] == 1
    )


ALL_MODES = _world(
    lambda n: MODES,
    lambda n: (2, 3, 2),
    (5, 6),
    name="modes",
    sentence="All members see the same lists; a mode may have been requested for the topic.",
    group=group_modes,
    symbolic=symbolic_modes,
)
