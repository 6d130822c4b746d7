"""Wrong encodings of the machines, put to recorded groups: how many are rejected by what happened."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.recorded.cluster.clients import (
    ordered_client,
    pulls_client,
    registry_client,
    settling_client,
    subscriptions_client,
)
from rebalance_proofs.recorded.cluster.judge import CHECKS
from rebalance_proofs.recorded.cluster.requests import Calls
from rebalance_proofs.recorded.cluster.trace import Trace
from rebalance_proofs.report.reality.differs import Differs, differs

__all__ = ["CLIENTS", "Tried", "tried"]

CLIENTS: Mapping[str, Callable[[str], MachineClient]] = {
    "settling": settling_client,
    "registry": registry_client,
    "ordered": ordered_client,
    "pulls": pulls_client,
    "subscriptions": lambda release: subscriptions_client(release, fingerprints=False),
}
"""Machine -> its client of a release; those whose traces are accepted by behaviours."""


@dataclass(frozen=True)
class Tried:
    """The pinned wrong encodings of one machine."""

    machine: str
    rejected: tuple[str, ...]
    """Names of those that some recording rejects."""
    left: Mapping[str, Differs]
    """Names of those by which all recordings are possible, and how they differ from the client's encoding."""


def tried(traces: Sequence[Trace]) -> list[Tried]:
    """Put every pinned wrong encoding of the traces' clients to the traces, until one rejects it."""
    calls = [(trace, Calls(trace)) for trace in traces]
    return [_machine(machine, calls) for machine in CLIENTS]


def _machine(machine: str, calls: Sequence[tuple[Trace, Calls]]) -> Tried:
    rejected: set[str] = set()
    names: dict[str, Differs] = {}
    for release in sorted({trace.version for trace, _ in calls}):
        client = CLIENTS[machine](release)
        for mutant in client.mutants:
            if mutant.name not in names:
                names[mutant.name] = differs(client, mutant)
            of = ((trace, known) for trace, known in calls if trace.version == release)
            if mutant.name not in rejected and any(_rejects(machine, *one, mutant.encoding) for one in of):
                rejected.add(mutant.name)
    left = {name: how for name, how in names.items() if name not in rejected}
    return Tried(machine, tuple(name for name in names if name in rejected), left)


def _rejects(machine: str, trace: Trace, calls: Calls, encoding: object) -> bool:
    return not CHECKS[machine](replace(trace, encodings={machine: encoding}), calls).accepted
