"""Which strategy of the user's is meant, and who calls it."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation import Strategy as Known
from rebalance_proofs.model.own.java import classpath as classpaths
from rebalance_proofs.model.own.java.worker import OTHER_HASHES, JavaWorker
from rebalance_proofs.model.own.named import Named, named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.model.own.worker import LIMIT, MEMORY_MB, Limits
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.own.junit_5 import junit_file, junit_first
from rebalance_proofs.report.own.written import pytest_file, pytest_first
from rebalance_proofs.spark_enum.own.checked import Open


@dataclass(frozen=True)
class Own:
    """The user's strategy."""

    strategy: Strategy
    typed: tuple[str, ...]
    """What names it on the command line."""
    open: Open
    named: Named | None
    """Of Python code: where it is."""
    test: Callable[[Answer, Path], str | None]
    """The text of a test file, for that path; None where nothing fails. Raises ``StrategyError``."""
    first: Callable[[Sequence[str]], str]
    """The first line of such a file, by the command's words."""
    fits: Callable[[Path], None] = lambda path: None
    """Raises ``UsageError`` for a path that no such file can have."""


def typed(limits: Limits) -> tuple[str, ...]:
    """As options, where they are not the usual ones."""
    seconds = () if limits.seconds == LIMIT else ("--limit", f"{limits.seconds:g}")
    return (*seconds, *(() if limits.memory_mb == MEMORY_MB else ("--memory", str(limits.memory_mb))))


def python(text: str, limits: Limits, *, carried: bool = False) -> Own:
    """``carried``: for machines on which the file is not. Raises ``StrategyError``."""
    what = named(text)
    sent = what.carried() if carried else what

    def open_(number: int) -> PythonWorker:
        return PythonWorker(sent, limit=limits.seconds, memory_mb=limits.memory_mb, seed=number + 1)

    def test(answer: Answer, path: Path) -> str | None:
        with PythonWorker(what) as worker:
            taken = worker.arguments
        beside = path.resolve().parent
        where = replace(what, where=os.path.relpath(Path(what.where).resolve(), beside)) if what.in_file else what
        return pytest_file(answer, where, taken, os.path.relpath(Path.cwd(), beside))

    return Own(Strategy(what.text, "python", what.hash), (text,), open_, what, test, pytest_first)


def java(name: str, classpath: str, arguments: tuple[str, ...], limits: Limits) -> Own:
    """A class, and what its constructor is given. Raises ``StrategyError``."""
    entries = classpaths.entries(classpath)

    def open_(number: int) -> JavaWorker:
        options = OTHER_HASHES if number else ()
        return JavaWorker(name, classpath, arguments, limit=limits.seconds, memory_mb=limits.memory_mb, options=options)

    def test(answer: Answer, path: Path) -> str | None:
        with open_(0) as worker:
            return junit_file(answer, path.stem, worker.made, arguments)

    def fits(path: Path) -> None:
        if path.suffix != ".java" or not re.fullmatch(r"[A-Za-z_]\w*", path.stem, re.ASCII):
            raise UsageError(f"a Java test's file is named as its class, as in MyStrategyTest.java: not {path.name!r}")

    given = (word for argument in arguments for word in ("--arg", argument))
    words = ("--java", name, "--classpath", classpath, *given)
    return Own(Strategy(name, "java", classpaths.hash_of(entries, name)), words, open_, None, test, junit_first, fits)


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
