"""Claims about pull requests: the guarantees that each client gives or breaks."""

from collections.abc import Callable, Iterator

from rebalance_proofs.model.pulls.clients import CLIENTS, PullsClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.machine.kind import stated
from rebalance_proofs.proofs.pulls.guarantees import (
    dies,
    has_request,
    healed,
    hits_own_entry,
    lets_go,
    one_request,
    only_lost,
    repairs_while_held,
    rests,
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
    """Return the claims about pull requests by client, with all assumptions and without one."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: PullsClient) -> Iterator[Claim]:
    rules = client.rules
    yield _claim(client, one_request, CONNECTED)
    yield _claim(client, one_request, CONNECTION, holds=not rules.fails_twice)
    yield _claim(client, has_request, QUIET)
    for world in (STORE, ERROR, CALLBACK, INTERRUPT, HOOK):
        yield _claim(client, has_request, world, holds=not loses(client, world))
    yield _claim(client, healed, NO_ERROR)
    yield _claim(client, healed, LOST if rules.thread_survives else ERROR, holds=rules.thread_survives)
    yield _claim(client, dies, QUERIED)
    yield _claim(client, dies, ENTERED, holds=False)
    for guarantee in (hits_own_entry, repairs_while_held):
        yield _claim(client, guarantee, PROMPT, holds=rules.repairs_at_once)
        yield _claim(client, guarantee, LATE_ANSWER, holds=False)
    yield _claim(client, only_lost, QUIET, holds=False)
    yield _claim(client, rests, WHATEVER)
    yield _claim(client, lets_go, RUNNING)
    yield _claim(client, lets_go, SUSPENDED, holds=False)


def _claim(
    client: PullsClient, made: Callable[[PullsClient], Guarantee], world: Troubles, *, holds: bool = True
) -> Claim:
    guarantee, world = made(client), world.of(client)
    return stated(client, guarantee, world, FOR_ALL if holds else EXISTS, holds=holds)
