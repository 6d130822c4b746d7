"""Display versions of profiles."""

VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Name of a profile (modelled client code) -> version, for clients with more than one profile."""
