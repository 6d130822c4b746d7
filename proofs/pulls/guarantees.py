"""Guarantees about pull requests; each function returns the guarantee for a client."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import And, Bool, Not, term, truth
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls, Variant, live
from rebalance_proofs.model.terms.folded import folded
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.pulls import invariant
from rebalance_proofs.proofs.pulls.configuration import BAD, CONFIGURATION

__all__ = [
    "dies",
    "has_request",
    "healed",
    "hits_own_entry",
    "lets_go",
    "one_request",
    "only_lost",
    "repairs_while_held",
    "rests",
]

_SOURCE = "https://github.com/apache/rocketmq/blob/develop"
_CLIENT = f"{_SOURCE}/client/src/main/java/org/apache/rocketmq/client/impl/consumer"
CONSUMER = f"{_CLIENT}/DefaultMQPushConsumerImpl.java"
SERVICE = f"{_CLIENT}/PullMessageService.java"
REMOTING = f"{_SOURCE}/remoting/src/main/java/org/apache/rocketmq/remoting/netty/NettyRemotingClient.java"
EXPIRY = "https://github.com/apache/rocketmq/issues/1918"

Ran = Run[Pulls, Limits]
Proof = Induction[Pulls, Choices, Limits, Variant]


def _proved(
    client: PullsClient,
    name: str,
    sentence: str,
    source: str,
    conjuncts: invariant.Invariant,
    broken: str,
    more: Callable[[Proof], Sequence[Obligation]] = lambda proof: (),
    **words: Any,
) -> Guarantee:
    """Return a guarantee proved by induction.

    ``broken`` is the sentence about a run that violates it. ``words`` are ``brief``,
    ``assumes`` and ``where`` of the guarantee.
    """
    seen = _seen(name, broken)
    return proved_by_induction(
        CONFIGURATION, client, name, sentence, source, conjuncts, BAD[name], seen, more=more, **words
    )


def _seen(name: str, broken: str) -> Callable[[Ran], str | None]:
    return lambda run: broken if truth(BAD[name](run.end, run.limits)) else None


@cache
def one_request(client: PullsClient) -> Guarantee:
    """Guarantee: at most one pull request circulates for a process queue."""
    return _proved(
        client,
        "one-request",
        "a process queue never has two circulating pull requests",
        REMOTING,
        invariant.ONE_REQUEST,
        "two pull requests circulate for the process queue.",
    )


@cache
def has_request(client: PullsClient) -> Guarantee:
    """Guarantee: at least one pull request circulates for a live process queue."""
    return _proved(
        client,
        "has-request",
        "a live process queue always has a circulating pull request",
        SERVICE,
        invariant.HAS_REQUEST,
        "no pull request circulates for the queue's live process queue.",
        where=("a live process queue: one that is not dropped",),
    )


@cache
def healed(client: PullsClient) -> Guarantee:
    """Guarantee: a process queue whose pull request is lost is replaced in time."""
    return _proved(
        client,
        "healed",
        "rebalances drop and replace exactly the process queues that are idle over `pullMaxIdleTime`",
        EXPIRY,
        invariant.HEALED,
        "the queue's new pull request waits, and no thread takes it.",
        _gone_and_back,
        assumes=(
            "a process queue of a queue that the consumer still owns",
            "no rebalance of a suspended consumer",
        ),
        where=(
            "idle time: from when its pull request was last taken (even if put off) until the rebalance checks it",
            "replacement: removed as soon as possible, then added with a new request once its offset is known and an "
            "ordered queue's lock is granted",
        ),
    )


@cache
def dies(client: PullsClient) -> Guarantee:
    """Guarantee: no pull begins for a process queue after its removal from the table."""
    return _proved(
        client,
        "dies",
        "no pull starts for a removed process queue, so no old request pulls for its successor",
        CONSUMER,
        invariant.DIES,
        "a pull has begun for a removed process queue.",
        brief="no pull starts for a removed process queue",
    )


@cache
def hits_own_entry(client: PullsClient) -> Guarantee:
    """Guarantee: the repair of an illegal offset removes no process queue but its own."""
    return _proved(
        client,
        "hits-own-entry",
        "the repair of an illegal offset removes no process queue but its own",
        CONSUMER,
        invariant.HITS_OWN_ENTRY,
        "the repair has removed the queue's next process queue.",
    )


@cache
def repairs_while_held(client: PullsClient) -> Guarantee:
    """Guarantee: the repair of an illegal offset writes only for a process queue in the table."""
    return _proved(
        client,
        "repairs-while-held",
        "the repair of an illegal offset writes the offset only while its process queue exists",
        CONSUMER,
        invariant.REPAIRS_WHILE_HELD,
        "an offset is written for a queue whose process queue was removed.",
        brief="illegal offsets are repaired only while their process queue exists",
    )


@cache
def only_lost(client: PullsClient) -> Guarantee:
    """Guarantee: no rebalance removes a process queue as idle while its request circulates.

    Every client violates this.
    """
    bad = BAD["only-lost"]
    return Guarantee(
        "only-lost",
        "a rebalance drops no process queue as idle while its pull request still circulates",
        EXPIRY,
        always(),
        lambda found: folded(term(bad(found.state, found.limits))),
        _seen("only-lost", "the process queue is removed as idle, but its request was only waiting."),
    )


@cache
def rests(client: PullsClient) -> Guarantee:
    """Guarantee: no pull begins while the consumer is suspended."""
    return _proved(
        client,
        "rests",
        "a suspended consumer takes no request that starts a pull",
        CONSUMER,
        invariant.RESTS,
        "a pull has begun while the consumer was suspended.",
        where=("exception: an ordered queue that already looks up its first offset still sends that pull",),
    )


@cache
def lets_go(client: PullsClient) -> Guarantee:
    """Guarantee: a due rebalance drops every process queue that belongs to another consumer."""
    return _proved(
        client,
        "lets-go",
        "every due rebalance drops each process queue that belongs to another consumer",
        CONSUMER,
        invariant.LETS_GO,
        "the consumer keeps a live process queue that belongs to another consumer.",
    )


def _gone_and_back(proof: Proof) -> tuple[Obligation, ...]:
    def gives_way(encoding: Any, v: SimpleNamespace) -> Statement:
        s, c, lim = CONFIGURATION.given(v)
        turn = act_of(encoding, "revokes")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the last pull is too long ago": s.age > lim.limit,
            "the process queue can be removed": Not(c.stays),
            "the consumer is not suspended": Not(s.suspended),
        }
        return _statement(proof, v, given, Not(turn.after.present))

    def comes_back(encoding: Any, v: SimpleNamespace) -> Statement:
        s, c, lim = CONFIGURATION.given(v)
        turn = act_of(encoding, "adds")(s, c, lim)
        given = {
            "the action is possible": turn.guard,
            "the offset is known": Not(c.silent),
            "the consumer is not suspended": Not(s.suspended),
        }
        after = turn.after
        return _statement(proof, v, given, And(live(after), after.waiting == 1, after.age == 0))

    return (
        about(
            CONFIGURATION,
            "gives-way",
            "A process queue that can be removed is removed when its last pull is too long ago.",
            gives_way,
        ),
        about(
            CONFIGURATION,
            "comes-back",
            "A new process queue with a known offset has one request, which waits.",
            comes_back,
        ),
    )


def _statement(proof: Proof, v: SimpleNamespace, given: Mapping[str, Bool], then: Bool) -> Statement:
    return Statement(proof.well(v) | {words: term(so) for words, so in given.items()}, term(then))
