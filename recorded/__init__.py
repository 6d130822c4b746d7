"""Conformance, the third witness: the model is compared with recorded results of the real clients."""

from rebalance_proofs.recorded.conform import conform, require
from rebalance_proofs.recorded.own import OWN
from rebalance_proofs.recorded.records import Conformance, Disagreement, FileReport, Malformed, VectorsError

__all__ = [
    "OWN",
    "Conformance",
    "Disagreement",
    "FileReport",
    "Malformed",
    "VectorsError",
    "conform",
    "require",
]
