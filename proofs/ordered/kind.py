"""The kind ``ordered``: registration of claims about ordered consumption with the engine."""

from rebalance_proofs.model.ordered.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.ordered.claims import claims
from rebalance_proofs.proofs.ordered.configuration import CONFIGURATION

ORDERED = machine_kind(CONFIGURATION, claims, SLIPS)
