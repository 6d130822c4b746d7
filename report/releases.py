"""Display versions of profiles."""

__all__ = ["VERSIONS"]

VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Name of a profile (modelled client code) -> version, for clients with more than one profile."""
