"""Comparison of a model's concrete code with its compiled formulas, in every state of a space."""
