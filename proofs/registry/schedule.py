"""What happens around a member of a group and a broker, action by action."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import product

from rebalance_proofs.model.registry.actions import RegistryEncoding
from rebalance_proofs.proofs.happens import Happens

__all__ = ["ACTIONS", "BROKER", "MEMBER", "OBSERVES", "OPEN", "choices", "happens", "moves"]

MEMBER, BROKER = 0, 1
"""Who does something: the member, its host, its client; or the broker, as it hears of something."""
OBSERVES = "observes"
"""Somebody asks the broker who is in the group, or the client for its route: nobody's action, and the last one."""
ACTIONS = {
    "starts": "The member is started.",
    "throws": "Its `start()` throws.",
    "finds": "A heartbeat of it arrives.",
    "puts": "It is registered.",
    "leaves": "It is shut down.",
    "unregisters": "Its good-bye arrives.",
    "loses": "Its good-bye is lost.",
    "dies": "Its process dies.",
    "vanishes": "Its host vanishes.",
    "breaks": "The broker hears the end of its connection.",
    "reconnects": "It makes a new connection.",
    "lags": "A heartbeat by an earlier one is registered when that has ended.",
    "straggles": "A heartbeat by its connection is registered when that has ended.",
    "closes_old": "The broker hears the end of an earlier one.",
    "others_come": "Somebody else comes.",
    "others_go": "Somebody else's connection ends.",
    "scans": "The broker scans its table.",
    "restarts": "The broker restarts.",
    "refreshes": "A heartbeat comes for another group, or a producer, of its process.",
    "copies": "What is collected is copied.",
    "replaces": "It is sent, and nothing is collected.",
    "moves": "The route changes for the last time.",
    "polls": "The client is answered what the route is.",
}
"""What can happen, by the names of an encoding's parts."""
assert set(ACTIONS) == {field.name for field in fields(RegistryEncoding)}
TELLS = ("off", "later")
OPEN = {
    "puts": TELLS,
    "unregisters": TELLS,
    "breaks": TELLS,
    "reconnects": ("keeps",),
    "lags": TELLS,
    "straggles": TELLS,
    "closes_old": TELLS,
    "others_come": TELLS,
    "others_go": ("more", *TELLS),
    "scans": ("more", "first", *TELLS),
    "replaces": ("off",),
}
"""What each action leaves open; nothing, where it is not named."""
BY_MEMBER = ("starts", "throws", "leaves", "dies", "vanishes", "reconnects", "polls")


def happens(action: str, **said: bool) -> Happens:
    """With what the action leaves open; raises ``KeyError`` where that is not told."""
    who = MEMBER if action in BY_MEMBER else BROKER
    return Happens(who, action, tuple((name, said[name]) for name in OPEN.get(action, ())))


def choices(action: str) -> Iterator[Mapping[str, bool]]:
    """All that an action can leave open."""
    names = OPEN.get(action, ())
    for values in product((False, True), repeat=len(names)):
        yield dict(zip(names, values, strict=True))


def moves(actions: Sequence[str], *, off: bool, later: bool) -> tuple[Happens, ...]:
    """All of these, with notifications as they are set up."""
    found = []
    for action in actions:
        for said in choices(action):
            if said.get("off", off) == off and said.get("later", later) == later:
                found.append(happens(action, **said))
    return tuple(found)
