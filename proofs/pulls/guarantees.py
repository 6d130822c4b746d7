"""The guarantees about pull requests."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from rebalance_proofs.model.machine.machine import act_of
from rebalance_proofs.model.machine.values import And, Bool, Not, term, truth
from rebalance_proofs.model.pulls.clients import PullsClient
from rebalance_proofs.model.pulls.limits import Limits
from rebalance_proofs.model.pulls.state import Choices, Pulls, Variant, live
from rebalance_proofs.model.terms.folded import folded
from rebalance_proofs.proofs.guarantee import Guarantee, always
from rebalance_proofs.proofs.machine.induction import Induction, about
from rebalance_proofs.proofs.machine.kind import proved_by_induction
from rebalance_proofs.proofs.machine.run import Run
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
) -> Guarantee:
    """A guarantee proved by induction; ``broken`` is the sentence about a run that violates it."""
    seen = _seen(name, broken)
    return proved_by_induction(CONFIGURATION, client, name, sentence, source, conjuncts, BAD[name], seen, more=more)


def _seen(name: str, broken: str) -> Callable[[Ran], str | None]:
    return lambda run: broken if truth(BAD[name](run.end, run.limits)) else None


@cache
def one_request(client: PullsClient) -> Guarantee:
    """Never more than one pull request circulates for an entry."""
    return _proved(
        client,
        "one-request",
        "never more than one pull request circulates for a queue's entry",
        REMOTING,
        invariant.ONE_REQUEST,
        "two pull requests circulate for the queue's entry.",
    )


@cache
def has_request(client: PullsClient) -> Guarantee:
    """At least one pull request circulates for a live entry."""
    return _proved(
        client,
        "has-request",
        "an entry that is not marked has a pull request that circulates",
        SERVICE,
        invariant.HAS_REQUEST,
        "no pull request circulates for the queue's live entry.",
    )


@cache
def healed(client: PullsClient) -> Guarantee:
    """An entry whose pull request is lost is replaced in time."""
    return _proved(
        client,
        "healed",
        "an entry is marked as one that is not pulled any more by the first rebalance that begins more than 120 s "
        "(`pullMaxIdleTime`) after its request was last taken, put off or not, and by none before; it goes as soon as "
        "it can be taken out, and, if the queue is still the consumer's, is added again with a new request as soon as "
        "its offset is known, and its lock granted if it is an ordered queue; of a consumer that is suspended no "
        "rebalance begins",
        EXPIRY,
        invariant.HEALED,
        "the queue's new pull request waits, and no thread takes it.",
        _gone_and_back,
    )


@cache
def dies(client: PullsClient) -> Guarantee:
    """No pull begins for an entry that has left the table."""
    return _proved(
        client,
        "dies",
        "no pull begins for an entry that has left the table, and so none for the queue's next entry by an old request",
        CONSUMER,
        invariant.DIES,
        "a pull has begun for an entry that had left the table.",
    )


@cache
def hits_own_entry(client: PullsClient) -> Guarantee:
    """The repair of an illegal offset removes no entry but its own."""
    return _proved(
        client,
        "hits-own-entry",
        "the repair of an illegal offset takes no entry out but the one whose pull it is about",
        CONSUMER,
        invariant.HITS_OWN_ENTRY,
        "the repair has removed the queue's next entry.",
    )


@cache
def repairs_while_held(client: PullsClient) -> Guarantee:
    """The repair of an illegal offset writes the offset only while its own entry is in the table."""
    return _proved(
        client,
        "repairs-while-held",
        "the repair of an illegal offset writes the queue's offset only while the entry is in the table whose pull it "
        "is about",
        CONSUMER,
        invariant.REPAIRS_WHILE_HELD,
        "an offset is written for a queue whose entry had left the table.",
    )


@cache
def only_lost(client: PullsClient) -> Guarantee:
    """No rebalance removes an entry as no longer pulled while its request circulates; every client violates this."""
    bad = BAD["only-lost"]
    return Guarantee(
        "only-lost",
        "a rebalance takes no entry for one that is not pulled any more whose request still circulates",
        EXPIRY,
        always(),
        lambda found: folded(term(bad(found.state, found.limits))),
        _seen("only-lost", "the entry is taken away, and its request was only waiting."),
    )


@cache
def rests(client: PullsClient) -> Guarantee:
    """No pull begins while the consumer is suspended."""
    return _proved(
        client,
        "rests",
        "while the consumer is suspended no request is taken that begins a pull (where an ordered queue's first offset "
        "is being asked for, that pull is still sent)",
        CONSUMER,
        invariant.RESTS,
        "a pull has begun while the consumer was suspended.",
    )


@cache
def lets_go(client: PullsClient) -> Guarantee:
    """A rebalance that is due marks the entry of a queue that is another consumer's."""
    return _proved(
        client,
        "lets-go",
        "whenever it is time for a rebalance, by the timer or a notification, the consumer lets go of an entry whose "
        "queue is another's: it marks it at least",
        CONSUMER,
        invariant.LETS_GO,
        "the consumer keeps a live entry of a queue that belongs to another consumer.",
    )


def _gone_and_back(proof: Proof) -> tuple[Obligation, ...]:
    def gives_way(encoding: Any, v: SimpleNamespace) -> Statement:
        s, c, lim = CONFIGURATION.given(v)
        turn = act_of(encoding, "revokes")(s, c, lim)
        given = {
            "it is possible": turn.guard,
            "the last pull is too long ago": s.age > lim.limit,
            "the entry can be taken out": Not(c.stays),
            "the consumer is not suspended": Not(s.suspended),
        }
        return _statement(proof, v, given, Not(turn.after.present))

    def comes_back(encoding: Any, v: SimpleNamespace) -> Statement:
        s, c, lim = CONFIGURATION.given(v)
        turn = act_of(encoding, "adds")(s, c, lim)
        given = {
            "it is possible": turn.guard,
            "the offset is known": Not(c.silent),
            "the consumer is not suspended": Not(s.suspended),
        }
        after = turn.after
        return _statement(proof, v, given, And(live(after), after.waiting == 1, after.age == 0))

    return (
        about(
            CONFIGURATION,
            "gives-way",
            "An entry that can be taken out goes when its last pull is too long ago.",
            gives_way,
        ),
        about(
            CONFIGURATION, "comes-back", "A new entry whose offset is known has one request, which waits.", comes_back
        ),
    )


def _statement(proof: Proof, v: SimpleNamespace, given: Mapping[str, Bool], then: Bool) -> Statement:
    return Statement(proof.well(v) | {words: term(so) for words, so in given.items()}, term(then))
