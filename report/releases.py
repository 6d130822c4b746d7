"""Names of clients and versions for people."""

__all__ = ["LANGUAGES", "VERSIONS"]

LANGUAGES = {"java": "Java", "go": "Go", "node": "Node", "cpp": "C++", "rust": "Rust"}
VERSIONS = {"java_v4": "4.9", "java_v5": "5"}
"""Profile -> version, for clients with more than one profile."""
