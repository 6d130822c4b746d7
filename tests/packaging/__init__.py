"""Checks of what a release contains, needs and does: ``python -m tests.packaging`` runs them."""
