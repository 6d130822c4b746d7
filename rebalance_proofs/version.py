"""The version of this project, for an installation and for a checkout that is not installed."""

from functools import cache
from pathlib import Path

NAME = "rebalance-proofs"
UNKNOWN = "0+unknown"
"""Version of a copy of the package without pyproject.toml and without an installation."""


@cache
def version() -> str:
    """Return the version in the checkout's pyproject.toml, or the version of the installed package.

    The checkout comes first, because an environment can hold an installation of another checkout.
    """
    return of_checkout(Path(__file__).parents[1]) or installed() or UNKNOWN


def of_checkout(folder: Path) -> str | None:
    """Return the version in the folder's pyproject.toml; None if it is not of this project."""
    import tomllib  # imported here, as below, because few commands need it

    try:
        project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    except (OSError, ValueError, KeyError):
        return None
    return str(project["version"]) if project.get("name") == NAME and "version" in project else None


def installed() -> str | None:
    """Return the version of the installed package; None if it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(NAME)
    except metadata.PackageNotFoundError:
        return None
