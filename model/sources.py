"""Where the source of each release was read, and the newest releases that exist.

To note that a release was read, add it to ``model.releases``, and a line here if it was read elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rebalance_proofs.model.machines.registry.actions import CLIENTS as REGISTRY
from rebalance_proofs.model.releases import JAVA, READ

TAGGED = "5.3.3"
"""The newest Java release that was read at its git tag; later releases were read in the jars with their sources."""
RECORDED_AT = "5.3.3-83-g8fc57f1468"
"""Version of the Java client whose allocation was recorded: the commit, counted from a tag as by ``git describe``."""
BROKERS = tuple(dict.fromkeys(release for client in REGISTRY for release in (*client.releases, *client.brokers)))
"""Releases whose broker was read, including those whose client was not read."""
GITHUB = "https://github.com"
PLACES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "go": (
        (
            "commit 2173d070fd",
            f"{GITHUB}/apache/rocketmq-client-go/tree/2173d070fd1b2ba1eba39e4f694eb7060d008613",
        ),
    ),
    "node": (
        ("npm package ali-ons", f"{GITHUB}/ali-sdk/ali-ons/tree/v3.12.0"),
        ("tag v3.12.2", f"{GITHUB}/ali-sdk/ali-ons/tree/v3.12.2"),
    ),
    "cpp": (
        (
            "commit 7c8b7f8b",
            f"{GITHUB}/apache/rocketmq-client-cpp/tree/7c8b7f8bf52ba753bb305faa926fe40a4a9c1969",
        ),
    ),
    "rust": (("commit dc569dff", f"{GITHUB}/mxsm/rocketmq-rust/tree/dc569dff53393238ec9dfed935ed20aad96676f3"),),
}
"""Client in another language than Java -> for each version in ``READ``: the place, and its address."""


@dataclass(frozen=True)
class Source:
    """A place where the source of a release was read."""

    where: str
    """The place in words, such as ``tag rocketmq-all-5.3.3``."""
    address: str = ""
    """The place's address; empty for a jar."""


@dataclass(frozen=True)
class Newest:
    """The newest version of a client that exists."""

    client: str
    """Name of the client, or ``broker``."""
    version: str
    where: str
    """The place that names the version: an artifact, module, package or tag."""


CHECKED = "2026-11-28"
"""Date on which the newest versions were looked up."""
NEWEST = (
    Newest("java", "5.5.1", "Maven, org.apache.rocketmq"),
    Newest("broker", "5.5.1", "Maven, org.apache.rocketmq"),
    Newest("go", READ["go"][-1], "Go module github.com/apache/rocketmq-client-go/v2"),
    Newest("node", "3.12.0", "npm package ali-ons; the newest git tag is v3.12.2"),
    Newest("cpp", "2.2.0", "git tag of apache/rocketmq-client-cpp; tags v5.0 are a gRPC SDK"),
    Newest("rust", "1.0.0", "crate rocketmq-client-rust; the crate rocketmq is a gRPC SDK"),
)
"""The newest version of each client and of the broker on that date."""


def of_client(client: str, version: str) -> Source | None:
    """Return where the source of a client's version was read; None if it was not read."""
    if client != "java":
        return Source(*PLACES[client][READ[client].index(version)]) if version in READ[client] else None
    if version == RECORDED_AT:
        return Source("commit 8fc57f1468", f"{GITHUB}/apache/rocketmq/tree/8fc57f1468d182eea11c01e089c0250d647dc5f3")
    return _of_release("client", version) if version in JAVA else None


def of_broker(release: str) -> Source | None:
    """Return where the source of a broker's release was read; None if it was not read."""
    return _of_release("broker", release) if release in BROKERS else None


def _of_release(part: str, release: str) -> Source:
    if release in JAVA[: JAVA.index(TAGGED) + 1]:
        tag = f"rocketmq-all-{release}"
        return Source(f"tag {tag}", f"{GITHUB}/apache/rocketmq/tree/{tag}")
    return Source(f"sources jar of rocketmq-{part} {release}")
