"""The only package name that an installation adds.

Its packages are links to the folders beside this one. Its modules belong to no package: every package may import them.
"""

from typing import TYPE_CHECKING

__version__: str
"""The project's version, as pyproject.toml states it."""

if not TYPE_CHECKING:  # Without this, a type checker would accept any attribute name here.

    def __getattr__(name: str) -> str:
        """Return the version on first use, so that no command waits for it."""
        if name != "__version__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from rebalance_proofs.cli.version import version

        return version()
