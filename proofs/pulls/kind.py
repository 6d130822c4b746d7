"""The kind ``pulls``: registration of claims about pull requests with the engine."""

from rebalance_proofs.model.pulls.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION

__all__ = ["PULLS"]

PULLS = machine_kind(CONFIGURATION, claims, SLIPS)
