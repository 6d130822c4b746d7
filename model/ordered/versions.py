"""Clients by version, as users name it."""

from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.releases import UnknownRelease, release_of

__all__ = ["Unmodelled", "of_version"]

_OF_RELEASE = {
    release: client for client in CLIENTS for generation in client.generations for release in generation.releases
}
UNMODELLED = {
    "node": "Node (ali-ons) has no locks of queues: nothing keeps two consumers from working on one queue",
    "cpp": "the locks of the C++ client are not modelled",
    "rust": "the locks of the Rust client are not modelled",
}
GRPC = "the gRPC SDKs (rocketmq-clients 5.x) leave locks and rebalances to the proxy, which is not modelled"


class Unmodelled(UnknownRelease):
    """Raised for a known client whose locks are not modelled; the message says why."""


def of_version(words: str) -> OrderedClient:
    """The client of a version such as ``5.2``, ``Java 5.1.4`` or ``go``, which ``release_of`` reads. Raises
    ``UnknownRelease``."""
    if words.strip().casefold() in ("grpc", "rocketmq-clients"):
        raise Unmodelled(GRPC)
    release = release_of(words)
    if release in UNMODELLED:
        raise Unmodelled(UNMODELLED[release])
    return _OF_RELEASE[release]
