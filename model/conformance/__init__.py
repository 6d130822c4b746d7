"""The third witness: the model, checked against recorded results of the real clients."""

from model.conformance.conform import conform
from model.conformance.records import Conformance, Disagreement, FileReport, Malformed, VectorsError

__all__ = ["Conformance", "Disagreement", "FileReport", "Malformed", "VectorsError", "conform"]
