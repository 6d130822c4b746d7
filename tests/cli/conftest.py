"""The command, called in this process."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from rebalance_proofs.cli.main import main


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
def call(capfd: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    """Function that runs the command in this process: ``call("prove", "--jobs", "1")``."""

    def run(*arguments: str) -> Called:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        out, err = capfd.readouterr()
        return Called(ended.value.code, out, err)

    return run
