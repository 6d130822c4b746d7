"""The kind ``subscriptions``: claims about subscriptions at the broker, for the engine."""

from rebalance_proofs.model.subscriptions.mutants import SLIPS
from rebalance_proofs.proofs.machine.kind import machine_kind
from rebalance_proofs.proofs.subscriptions.claims import claims
from rebalance_proofs.proofs.subscriptions.configuration import CONFIGURATION

SUBSCRIPTIONS = machine_kind(CONFIGURATION, claims, SLIPS)
