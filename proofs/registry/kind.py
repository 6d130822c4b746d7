"""The kind ``registry``: claims about a broker's registry of consumers, for the engine."""

from rebalance_proofs.model.registry.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.registry.claims import claims
from rebalance_proofs.proofs.registry.configuration import CONFIGURATION

REGISTRY = machine_kind(CONFIGURATION, claims, SLIPS)
