"""Which strategy of the user's is meant, and who calls it."""

from dataclasses import dataclass

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation import Strategy as Known
from rebalance_proofs.model.own.named import Named, named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.model.own.worker import LIMIT, MEMORY_MB
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.answer import Strategy
from rebalance_proofs.spark_enum.own.checked import Open


@dataclass(frozen=True)
class Limits:
    """For each call, and for the process."""

    seconds: float = LIMIT
    memory_mb: int = MEMORY_MB

    @property
    def typed(self) -> tuple[str, ...]:
        """As options, where they are not the usual ones."""
        seconds = () if self.seconds == LIMIT else ("--limit", f"{self.seconds:g}")
        return (*seconds, *(() if self.memory_mb == MEMORY_MB else ("--memory", str(self.memory_mb))))


@dataclass(frozen=True)
class Own:
    """The user's strategy."""

    strategy: Strategy
    typed: tuple[str, ...]
    """What names it on the command line."""
    open: Open
    named: Named | None = None
    """Of Python code: where it is."""


def python(text: str, limits: Limits, *, carried: bool = False) -> Own:
    """``carried``: for machines on which the file is not. Raises ``StrategyError``."""
    what = named(text)
    sent = what.carried() if carried else what

    def open_(number: int) -> PythonWorker:
        return PythonWorker(sent, limit=limits.seconds, memory_mb=limits.memory_mb, seed=number + 1)

    return Own(Strategy(what.text, "python", what.hash), (text,), open_, what)


def known(name: str) -> Known | None:
    """The strategy of this project with that name: ``avg``, ``AVG``; None where it has none."""
    return next((one for one in ALL if name in (one.name, one.rocketmq_name)), None)


def other(text: str, limits: Limits) -> Known | Own:
    """What ``--same-as`` names. Raises ``UsageError``, ``StrategyError``."""
    found = known(text)
    if found:
        return found
    if ":" not in text and not text.endswith(".py"):
        names = ", ".join(one.name for one in ALL)
        raise UsageError(f"--same-as: {text!r} is none of {names}, and no strategy of yours like other.py:allocate")
    return python(text, limits)
