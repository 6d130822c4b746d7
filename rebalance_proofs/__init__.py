"""The only package name that an installation adds.

Its packages are links to the folders beside this one. Its modules belong to no package: every package may import
``documents``, ``errors``, ``language`` and ``ranges``. The functions of ``api`` are for other programs.
"""

from typing import TYPE_CHECKING

__version__: str
"""The project's version, as pyproject.toml states it."""
__all__ = ["UsageError", "__version__", "allocate", "audit", "check", "explain", "judge"]

if TYPE_CHECKING:
    from rebalance_proofs.api import allocate, audit, check, explain, judge
    from rebalance_proofs.errors import UsageError
else:

    def __getattr__(name: str) -> object:
        """Return a public name on first use, so that no command waits for it."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "__version__":
            from rebalance_proofs.version import version

            return version()
        from rebalance_proofs import api

        return getattr(api, name)
