"""The project's version, of an installation and of a checkout that is not installed."""

from functools import cache
from pathlib import Path

import rebalance_proofs

__all__ = ["UNKNOWN", "version"]

NAME = "rebalance-proofs"
UNKNOWN = "0+unknown"
"""Version of a copy of the package without pyproject.toml and without an installation."""


@cache
def version() -> str:
    """Return the version in the checkout's pyproject.toml, or else the installation's.

    The checkout comes first, because an environment can hold an installation of another checkout.
    """
    return of_checkout(Path(rebalance_proofs.__file__).parents[1]) or installed() or UNKNOWN


def of_checkout(folder: Path) -> str | None:
    """Version in this folder's pyproject.toml; None if it has none, or if it belongs to another project."""
    import tomllib  # here and below: no other command waits for it

    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    except (OSError, ValueError, KeyError):
        return None
    return str(project["version"]) if project.get("name") == NAME and "version" in project else None


def installed() -> str | None:
    """Version of the installed distribution; None if there is none."""
    from importlib import metadata

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return None
