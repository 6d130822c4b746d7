"""Find the client in claims about ordered consumption for a version that the user typed."""

from rebalance_proofs.model.ordered.clients import CLIENTS, OrderedClient
from rebalance_proofs.model.releases import UnknownRelease, release_of

__all__ = ["Unmodelled", "of_version"]

_OF_RELEASE = {
    release: client for client in CLIENTS for generation in client.generations for release in generation.releases
}
UNMODELLED = {
    "node": "Node (ali-ons) has no locks of queues: nothing keeps two consumers from processing one queue; "
    "name a Java client version or go",
    "cpp": "the locks of the C++ client are not modelled",
    "rust": "the locks of the Rust client are not modelled",
}
GRPC = "the gRPC SDKs (rocketmq-clients 5.x) leave locks and rebalancing to the proxy, which is not modelled"


class Unmodelled(UnknownRelease):
    """Raised for a known client whose queue locks are not modelled.

    The message gives the reason.
    """


def of_version(words: str) -> OrderedClient:
    """Return the client of a version that the user typed.

    Examples: ``5.2``, ``Java 5.1.4`` or ``go``; see ``release_of``. Raises ``UnknownRelease``.
    """
    if words.strip().casefold() in ("grpc", "rocketmq-clients"):
        raise Unmodelled(GRPC)
    release = release_of(words)
    if release in UNMODELLED:
        raise Unmodelled(UNMODELLED[release])
    return _OF_RELEASE[release]
