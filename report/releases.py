"""Names of clients and their versions, as users know them."""

__all__ = ["LANGUAGES", "VERSIONS"]

LANGUAGES = {"java": "Java", "go": "Go", "node": "Node", "cpp": "C++", "rust": "Rust"}
VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Versions by profile, for clients with more than one profile."""
