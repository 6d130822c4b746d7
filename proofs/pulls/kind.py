"""The kind ``pulls``: claims about pull requests, as the engine uses them."""

from rebalance_proofs.model.pulls.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.pulls.claims import claims
from rebalance_proofs.proofs.pulls.configuration import CONFIGURATION

__all__ = ["PULLS"]

PULLS = machine_kind(CONFIGURATION, claims, SLIPS)
