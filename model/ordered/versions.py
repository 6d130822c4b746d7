"""Which client a version is."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from rebalance_proofs.model.ordered.clients import GO, V4_9, V4_9_0, V5_0, V5_2, OrderedClient

__all__ = ["LAST", "VERSIONS", "Unmodelled", "of_version"]

VERSIONS: Mapping[str, OrderedClient] = {
    **{f"4.9.{patch}": V4_9_0 for patch in range(5)},
    **{f"4.9.{patch}": V4_9 for patch in range(5, 9)},
    "4.9": V4_9,
    **dict.fromkeys(("5.0.0", "5.0", *(f"5.1.{patch}" for patch in range(5)), "5.1"), V5_0),
    **dict.fromkeys(("5.2.0", "5.2", *(f"5.3.{patch}" for patch in range(4)), "5.3"), V5_2),
    "go": GO,
}
"""As a user writes it; of a version without its last number, the last one that there is."""
LAST = "5.3.3"
"""The last Java version that was read."""

NODE = "Node (ali-ons) has no locks of queues: nothing keeps two consumers from working on one queue"
OTHER_SDK = "the gRPC SDKs (rocketmq-clients 5.x) leave locks and rebalances to the proxy, which is not modelled"
ELSEWHERE = {"node": NODE, "ali-ons": NODE, "grpc": OTHER_SDK, "rocketmq-clients": OTHER_SDK}


class Unmodelled(LookupError):
    """Nothing is known of that client; the sentence says why, and names the nearest."""


def of_version(words: str) -> OrderedClient:
    """``5.2``, ``Java 5.1.4``, ``go``. Raises ``Unmodelled``; no version is taken for another one."""
    name = re.sub(r"^java\s*|^v(?=\d)", "", words.strip().casefold())
    if name in VERSIONS:
        return VERSIONS[name]
    if name in ELSEWHERE:
        raise Unmodelled(ELSEWHERE[name])
    if re.fullmatch(r"\d+(\.\d+)*", name):
        number = tuple(map(int, name.split(".")))
        if number > tuple(map(int, LAST.split("."))):
            raise Unmodelled(f"{words!r} is newer than {LAST}, the last version that was read")
        known = [version for version in VERSIONS if version[0].isdigit() and version.count(".") == 2]
        nearest = min(known, key=lambda version: _apart(version, number))
        raise Unmodelled(f"version {words!r} is not modelled; the nearest is {nearest}")
    near = get_close_matches(name, (*VERSIONS, *ELSEWHERE), n=1, cutoff=0.5)
    raise Unmodelled(f"unknown client {words!r}; {f'the nearest is {near[0]}' if near else 'name one like 5.2 or go'}")


def _apart(version: str, number: tuple[int, ...]) -> tuple[int, ...]:
    known = tuple(map(int, version.split(".")))
    asked = (*number, 0, 0, 0)[: len(known)]
    return tuple(abs(one - two) for one, two in zip(known, asked, strict=True))
