"""The command, called in this process."""

from tests.cli.conftest import call

__all__ = ["call"]
