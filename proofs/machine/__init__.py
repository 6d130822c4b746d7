"""Proofs, explorations and runs of a declared machine (``model.machine``), for every kind of claims."""
