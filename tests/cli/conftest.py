"""The command, called in this process."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rebalance_proofs.cli.main import main

WIDE = 1_000_000
"""Columns of a terminal in which no line of an answer has to be broken."""


@dataclass(frozen=True)
class Called:
    """Status and output of a finished call."""

    status: int
    out: str
    err: str

    @property
    def complaint(self) -> str:
        """The one sentence on stderr; fails if there is more, or a stack trace."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("rebalance: ")
        assert "Traceback" not in self.out + self.err
        return lines[0]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Called]:
    """Function that runs the command in this process: ``call("prove", "--jobs", "1")``.

    ``columns``: of the terminal; by default so many that texts do not depend on the lengths of paths.
    """

    def run(*arguments: str, columns: int = WIDE) -> Called:
        monkeypatch.setenv("COLUMNS", str(columns))
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capfd.readouterr()
        return Called(ended.value.code, out, err)

    return run
