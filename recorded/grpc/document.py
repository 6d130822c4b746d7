"""The answer about a recording with gRPC members as JSON values, in the format of ``rebalance record --json``."""

from typing import Any

from rebalance_proofs.recorded.grpc import events as of
from rebalance_proofs.recorded.grpc.check import Checked, shared
from rebalance_proofs.recorded.grpc.run import PROXY


def of_run(name: str, found: Checked) -> dict[str, Any]:
    """Return the JSON of one recording; times are in ms."""
    every = [event for each in found.recording.events.values() for event in each]
    releases = {who: join.version for who, join in found.members.items()}
    servers = [event.release for _, event in every if isinstance(event, of.Servers)]
    jars = [event for _, event in every if isinstance(event, of.Artifact)]
    return {
        "scenario": name,
        "releases": releases | {PROXY: servers[0] if servers else "?"},
        "jars": [{"name": one.jar, "sha256": one.sha256, "of": None} for one in jars],
        "remark": None,
        "messages": sum(kind == "sent" for kind, _ in every),
        "calls": sum(kind == "message" for kind, _ in every),
        "ms": max(event.at for _, event in every) - found.start,
        "calm": not found.unfinished,
        "not_recorded": [],
        "seen": [],
        "loops": [
            {"who": who, "queue": entry.q, "loops": entry.loops, "requests": entry.peak} for who, entry in found.loops
        ],
        "remoting": [_of_remoting(found, who) for who in found.pullers],
        "excluded": [{"who": one.who, "at": one.at, "why": one.text} for one in found.problems],
        "unexplained": len(found.problems),
    }


def _of_remoting(found: Checked, who: str) -> dict[str, Any]:
    """Return the last shares of a remoting member, and its first deliveries, also to gRPC members."""
    shares = found.pullers[who].shares.items()
    got, both, again = shared(found, who)
    return {
        "who": who,
        "shares": [
            {"topic": topic, "queues": [*share.mine], "of": len(share.all), "consumers": share.consumers}
            for topic, share in shares
        ],
        "messages": got,
        "to_grpc": both,
        "to_grpc_again": again,
    }
