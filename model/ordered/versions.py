"""Find the client in claims about ordered consumption for a version that the user typed."""

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, OrderedClient
from rebalance_proofs.model.releases import UnknownRelease, resolved

_OF_RELEASE = {
    release: client for client in CLIENTS for generation in client.generations for release in generation.releases
}
UNMODELLED = {
    "node": "Node (ali-ons) has no locks of queues: nothing keeps two consumers from processing one queue; "
    "name a Java client version or go",
    "cpp": "the locks of the C++ client are not modelled",
    "rust": "the locks of the Rust client are not modelled",
}


class Unmodelled(UnknownRelease):
    """Raised for a known client whose queue locks are not modelled.

    The message gives the reason.
    """


def of_version(words: str) -> OrderedClient:
    """Return the client of a version that the user typed.

    Examples: ``5.2``, ``Java 5.1.4`` or ``go``; see ``resolved``. Raises ``UnknownRelease``.
    """
    release = resolved(words).release
    if release in UNMODELLED:
        raise Unmodelled(UNMODELLED[release])
    return _OF_RELEASE[release]
