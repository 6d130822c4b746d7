"""All claims about pull requests: one table of who gives what."""

from collections.abc import Iterator

from rebalance_proofs.model.pulls.clients import CLIENTS, PullsClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.pulls.guarantees import (
    DIES,
    HAS_REQUEST,
    HEALED,
    HITS_OWN_ENTRY,
    LETS_GO,
    ONE_REQUEST,
    ONLY_LOST,
    REPAIRS_WHILE_HELD,
    RESTS,
)
from rebalance_proofs.proofs.pulls.troubles import (
    CALLBACK,
    CONNECTED,
    CONNECTION,
    ENTERED,
    ERROR,
    HOOK,
    INTERRUPT,
    LATE_ANSWER,
    LOST,
    NO_ERROR,
    PROMPT,
    QUERIED,
    QUIET,
    RUNNING,
    STORE,
    SUSPENDED,
    WHATEVER,
    Troubles,
    loses,
)

__all__ = ["claims"]

FOR_ALL = "for all numbers of queues, entries, pull requests and rebalances"
EXISTS = "one consumer and one queue suffice; the shortest run is shown"


def claims() -> tuple[Claim, ...]:
    """By client: what holds under all premises, and what becomes of it without one."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: PullsClient) -> Iterator[Claim]:
    rules = client.rules
    yield _claim(client, ONE_REQUEST, CONNECTED)
    yield _claim(client, ONE_REQUEST, CONNECTION, holds=not rules.fails_twice)
    yield _claim(client, HAS_REQUEST, QUIET)
    for world in (STORE, ERROR, CALLBACK, INTERRUPT, HOOK):
        yield _claim(client, HAS_REQUEST, world, holds=not loses(client, world))
    yield _claim(client, HEALED, NO_ERROR)
    yield _claim(client, HEALED, LOST if rules.thread_survives else ERROR, holds=rules.thread_survives)
    yield _claim(client, DIES, QUERIED)
    yield _claim(client, DIES, ENTERED, holds=False)
    for guarantee in (HITS_OWN_ENTRY, REPAIRS_WHILE_HELD):
        yield _claim(client, guarantee, PROMPT, holds=rules.repairs_at_once)
        yield _claim(client, guarantee, LATE_ANSWER, holds=False)
    yield _claim(client, ONLY_LOST, QUIET, holds=False)
    yield _claim(client, RESTS, WHATEVER)
    yield _claim(client, LETS_GO, RUNNING)
    yield _claim(client, LETS_GO, SUSPENDED, holds=False)


def _claim(client: PullsClient, guarantee: Guarantee, world: Troubles, *, holds: bool = True) -> Claim:
    even_if = f", even if {world.otherwise}" if world.dropped else ""
    sentence = f"{client.rocketmq_name}: {guarantee.sentence}{even_if}."
    obligations = guarantee.obligations(world) if holds else ()
    scope = FOR_ALL if holds else EXISTS
    variant = f"without-{world.name}" if world.dropped else ""
    return Claim("pulls", (client,), guarantee, world, holds, sentence, scope, guarantee.source, obligations, variant)
