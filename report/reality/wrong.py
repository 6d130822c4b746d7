"""Test the checks of recordings with wrong versions of the client model: how many are rejected?"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rebalance_proofs.model.machine.client import MachineClient
from rebalance_proofs.model.machines.offsets import claims as offsets_claims
from rebalance_proofs.model.machines.registry import claims as registry_claims
from rebalance_proofs.model.machines.settling import recorded as settling
from rebalance_proofs.model.machines.subscriptions import claims as subscriptions_claims
from rebalance_proofs.model.machines.subscriptions.recorded import TABLE as SUBSCRIBED
from rebalance_proofs.model.terms.values import Mutant
from rebalance_proofs.recorded.cluster.clients import (
    offsets_client,
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

CLIENTS: Mapping[str, Callable[[str], Sequence[MachineClient]]] = {
    "settling": lambda release: [settling_client(release)],
    "registry": lambda release: [registry_client(release)],
    "ordered": lambda release: [ordered_client(release)],
    "pulls": lambda release: [pulls_client(release)],
    "subscriptions": lambda release: [subscriptions_client(release, fingerprints=v2) for v2 in (False, True)],
    "offsets": lambda release: [offsets_client(release, orderly=orderly) for orderly in (False, True)],
}
"""Machine -> function from a release to the machine's clients of that release."""
LOADED = (offsets_claims, registry_claims, subscriptions_claims)
"""Modules that give their machine's clients wrong versions when they are loaded."""
KEPT: Mapping[str, frozenset[str]] = {"settling": settling.TABLE.kept, "subscriptions": SUBSCRIBED.kept}
"""Machine -> its auxiliary variables that recorded events show."""


@dataclass(frozen=True)
class Tried:
    """The wrong versions of one machine, and which of them recordings reject."""

    machine: str
    rejected: tuple[str, ...]
    """Names of wrong versions that at least one recording rejects."""
    left: Mapping[str, Differs]
    """Names of wrong versions that no recording rejects, and how they differ from the right one."""


def tried(traces: Sequence[Trace]) -> list[Tried]:
    """Check the recordings with every wrong version of the machines, until one recording rejects it.

    A wrong version belongs to some clients. It replaces their actions; other clients in a recording keep theirs.
    """
    calls = [(trace, Calls(trace)) for trace in sorted(traces, key=lambda one: sum(map(len, one.of.values())))]
    return [_machine(machine, calls) for machine in CLIENTS]


def _machine(machine: str, calls: Sequence[tuple[Trace, Calls]]) -> Tried:
    mutants = pinned(machine, [trace for trace, _ in calls])
    rejected = tuple(name for name in mutants if any(rejects(machine, *one, name) for one in calls))
    kept = KEPT.get(machine, frozenset())
    left = {name: differs(*mutants[name], kept=kept) for name in mutants if name not in rejected}
    return Tried(machine, rejected, left)


def pinned(machine: str, traces: Sequence[Trace]) -> Mapping[str, tuple[MachineClient, Mutant]]:
    """Return each wrong version of a machine by name, with the first recorded client that it belongs to."""
    clients = {client: None for trace in traces for client in _of(machine, trace)}
    found: dict[str, tuple[MachineClient, Mutant]] = {}
    for client in clients:
        for mutant in client.mutants:
            found.setdefault(mutant.name, (client, mutant))
    return found


def _of(machine: str, trace: Trace) -> Iterator[MachineClient]:
    """Yield the machine's clients in a recording, including variants with other settings."""
    return (client for who in trace.consumers for client in CLIENTS[machine](trace.release(who)))


def rejects(machine: str, trace: Trace, calls: Calls, name: str) -> bool:
    """Return True if a recording is rejected when the wrong version ``name`` replaces its clients' actions."""

    def encoding(client: MachineClient) -> Any:
        return next((mutant.encoding for mutant in client.mutants if mutant.name == name), None)

    if all(encoding(client) is None for client in _of(machine, trace)):
        return False
    return not CHECKS[machine](replace(trace, encodings={machine: encoding}), calls).accepted
