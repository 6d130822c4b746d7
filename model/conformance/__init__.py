"""The third witness: the model, checked against recorded results of the real clients."""

from model.conformance.conform import conform, require
from model.conformance.own import OWN
from model.conformance.records import Conformance, Disagreement, FileReport, Malformed, VectorsError

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
