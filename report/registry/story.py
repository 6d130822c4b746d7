"""A run of a member and a broker in words, with a clock: who does what at which second, and what the broker answers."""

from collections.abc import Iterator

from rebalance_proofs.model.registry.limits import Limits
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.registry.run import Run, Seen
from rebalance_proofs.proofs.registry.schedule import OBSERVES
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.english import count

__all__ = ["deed", "given", "idle", "lines"]

DEEDS = {
    "starts": "X is started, and connects to the broker",
    "throws": "`start()` of X throws",
    "finds": "A heartbeat of X arrives: the broker looks up what it has of the group",
    "puts": "The broker registers the heartbeat",
    "leaves": "X is shut down; its process goes on",
    "unregisters": "Its good-bye arrives",
    "loses": "Its good-bye is lost",
    "dies": "The process of X dies, and its system closes the connection",
    "vanishes": "The host of X vanishes, and nobody closes the connection",
    "breaks": "The broker hears that the connection of X has ended",
    "reconnects": "X makes a new connection",
    "lags": "The broker registers a heartbeat that came by an earlier connection, which has ended",
    "straggles": "The broker registers a heartbeat that came by the connection that has ended",
    "closes_old": "The broker hears that an earlier connection of X has ended",
    "others_come": "A heartbeat of Y arrives, by a new connection, and is registered",
    "others_go": "The broker hears that a connection of somebody else has ended",
    "scans": "The broker scans its table",
    "restarts": "The broker restarts",
    "refreshes": "A heartbeat arrives that is about another group, or a producer, of X's process",
    "copies": "The broker copies what notifications it has collected",
    "replaces": "It sends what it has copied, and begins to collect anew",
    "moves": "The route changes at the name servers",
    "polls": "The client is answered what the route is",
}
LOOKS = "One asks the broker who is in the group"
LOOKS_AT_ROUTE = "One looks at the client's route"
ABOUT_ROUTES = "routed"


def deed(claim: Claim, seen: Seen) -> str:
    """One action, without its time; and the broker's answer, where it is another one then."""
    if seen.happens.action == OBSERVES:
        return LOOKS_AT_ROUTE if claim.guarantee.name == ABOUT_ROUTES else LOOKS
    words = DEEDS[seen.happens.action]
    if seen.happens.action == "scans" and not seen.changed:
        words += ", and removes nobody"
    if seen.changed:
        words += f": it answers {_answer(seen)}"
    return words


def _answer(seen: Seen) -> str:
    return f"[{', '.join(seen.answer)}]" if seen.answer else "an error, for it lists nobody"


def given(claim: Claim, limits: Limits) -> str:
    """The limits of time that matter."""
    world = claim.world
    told = {
        "heartbeats arrive every": limits.beat if world.beats else 0,
        "a scan removes what was not heard of for more than": limits.expired if "scans" in world.actions else 0,
        "it comes every": limits.scan if world.scans else 0,
        "notifications are sent every": limits.collect if world.later else 0,
        "routes are polled every": limits.poll if "polls" in world.actions else 0,
    }
    return ", ".join(f"{words} {value / 1000:g} s" for words, value in told.items() if value)


def idle(seen: Seen) -> bool:
    """A scan that removes nobody: there are many, and nothing comes of them."""
    return seen.happens.action == "scans" and not seen.changed


def lines(claim: Claim, example: Counterexample) -> tuple[str, ...]:
    """Under which limits, who did what, and what is wrong."""
    run: Run = example.group
    words = example.sentence[0].upper() + example.sentence[1:]
    return (f"One member X, one broker: {given(claim, run.limits)}.", *_story(claim, run), words)


def _story(claim: Claim, run: Run) -> Iterator[str]:
    scans = 0
    for seen in run.seen:
        if idle(seen):
            scans += 1
            continue
        if scans:
            yield f"Until then: {count(scans, 'scan')}, which {'remove' if scans > 1 else 'removes'} nobody."
            scans = 0
        yield f"{clock(seen.at)}: {deed(claim, seen)}."
