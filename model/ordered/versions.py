"""Which client a version is."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.transition.generations import GENERATIONS

__all__ = ["LAST", "VERSIONS", "Unmodelled", "of_version"]

_OF_RELEASE = {
    release: client for client in CLIENTS for generation in client.generations for release in generation.releases
}
VERSIONS: Mapping[str, OrderedClient] = {
    **{release.rpartition(".")[0]: client for release, client in _OF_RELEASE.items() if "." in release},
    **_OF_RELEASE,
}
"""As a user writes it; of a version without its last number, the last one that there is."""
LAST = GENERATIONS[-1].releases[-1]
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
