"""The kind ``settling``: claims about how soon a membership change takes effect."""

from rebalance_proofs.model.settling.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.settling.claims import claims
from rebalance_proofs.proofs.settling.configuration import CONFIGURATION

__all__ = ["SETTLING"]

SETTLING = machine_kind(CONFIGURATION, claims, SLIPS)
