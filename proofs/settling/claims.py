"""All claims about settling: one table of who gives what."""

from collections.abc import Iterator

from rebalance_proofs.model.settling.clients import CLIENTS, SettlingClient
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.settling.guarantees import apart, as_long, holds, settles, woken
from rebalance_proofs.proofs.settling.notices import ANY, FAILS, NO_TIMER, SUCCEEDS, TIMELY, UNTIMELY, Notices

__all__ = ["claims"]

FOR_ALL = "for all limits of time"
EXISTS = "the shortest run, in ticks, is shown"


def claims() -> tuple[Claim, ...]:
    """By client."""
    return tuple(claim for client in CLIENTS for claim in _of(client))


def _of(client: SettlingClient) -> Iterator[Claim]:
    yield _claim(client, settles(client), SUCCEEDS, "", "")
    more = "and each one that begins after the change and fails adds at most one such wait and one such rebalance"
    yield _claim(client, settles(client), FAILS, f"; {more}", FAILS.name)
    yield _claim(client, settles(client), NO_TIMER, f", even if {NO_TIMER.otherwise}", f"without-{NO_TIMER.name}")
    yield _claim(client, as_long(client), SUCCEEDS, "", "")
    yield _claim(client, woken(client), TIMELY, f", if {_premise(TIMELY)}", "")
    yield _claim(client, woken(client), UNTIMELY, f", even if {UNTIMELY.otherwise}", f"without-{UNTIMELY.name}")
    yield _claim(client, apart(client), ANY, "", "")


def _premise(world: Notices) -> str:
    sentence = world.sentence.split(". ")[0].rstrip(".")
    return sentence[0].lower() + sentence[1:]


def _claim(client: SettlingClient, guarantee: Guarantee, world: Notices, when: str, variant: str) -> Claim:
    given = holds(guarantee.name, client, world)
    return Claim(
        "settling",
        (client,),
        guarantee,
        world,
        given,
        f"{client.rocketmq_name}: {guarantee.sentence}{when}.",
        FOR_ALL if given else EXISTS,
        guarantee.source,
        guarantee.obligations(world) if given else (),
        variant,
    )
