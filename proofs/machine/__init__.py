"""Proofs, explorations and runs of a declared machine (``model.machine``), the same for every kind of claims."""
