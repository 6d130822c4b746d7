"""User-defined strategies: their names on the command line, and the processes that call them."""

import ast
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rebalance_proofs.model.allocation import ALL
from rebalance_proofs.model.allocation import Strategy as Known
from rebalance_proofs.model.own.call import LIMIT, MEMORY_MB, Held, Limits
from rebalance_proofs.model.own.java import classpath as classpaths
from rebalance_proofs.model.own.java.worker import ONE_HASH, JavaWorker, other_hashes
from rebalance_proofs.model.own.literals import Literals, definition, from_python, sources, variables
from rebalance_proofs.model.own.named import Named, named
from rebalance_proofs.model.own.python import PythonWorker
from rebalance_proofs.model.own.surroundings import ANY, KINDS, NONE, Setting, Surroundings
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.own.junit_5 import junit_file, junit_first
from rebalance_proofs.report.own.written import pytest_file, pytest_first
from rebalance_proofs.spark_enum.own.checked import Open


@dataclass(frozen=True)
class Own:
    """A user-defined strategy, with everything that depends on its programming language."""

    strategy: Strategy
    typed: tuple[str, ...]
    """Words that name the strategy on the command line, for messages with a command."""
    open: Open
    """``open(number)``: start a process that calls the strategy."""
    named: Named | None
    """Location of the Python code; None for a Java strategy."""
    test: Callable[[Answer, Path], str | None]
    """``test(answer, path)``: text of a test that reproduces a broken guarantee, for that path.

    None if no guarantee is broken. Raises ``StrategyError``.
    """
    first: Callable[[Sequence[str]], str]
    """``first(command)``: first line of the test file that this command line writes."""
    reads: Callable[[], tuple[str, ...]]
    """``reads()``: the names of variables that the code reads, as far as that is known."""
    literals: Callable[[], Literals]
    """``literals()``: the texts that the code looks for in names."""
    fits: Callable[[Path], None] = lambda path: None
    """``fits(path)``: raise ``UsageError`` if a test file cannot have that path."""


def varied(text: str, given: Surroundings) -> tuple[str, tuple[str, ...], tuple[Surroundings, ...]]:
    """Return the name of a ``--vary`` setting, its values, and the surroundings with each value.

    Raises ``UsageError``.
    """
    name, sign, said = text.partition("=")
    kind, colon, rest = name.partition(":")
    kind, name = (kind, rest) if colon else (ANY, name)
    values = tuple(dict.fromkeys(one.strip() for one in said.split(",")))
    if not sign or not re.fullmatch(r"[\w.\-]+", name) or (colon and kind not in KINDS):
        raise UsageError(
            f"--vary {text!r} is not a setting with its values; write it like SIDE=blue,green or arg:1=5,10"
        )
    if not 2 <= len(values) <= MOST_VALUES:
        raise UsageError(f"--vary {text!r} has to name 2 to {MOST_VALUES} different values, separated by commas")
    each = tuple(replace(given, settings=(Setting(kind, name, value),)) for value in values)
    return name, values, each


MOST_VALUES = 4
"""The maximum number of values of a setting."""


def typed(limits: Limits) -> tuple[str, ...]:
    """Return the time and memory limits that differ from the defaults, as command-line options."""
    seconds = () if limits.seconds == LIMIT else ("--limit", f"{limits.seconds:g}")
    return (*seconds, *(() if limits.memory_mb == MEMORY_MB else ("--memory", str(limits.memory_mb))))


def python(
    text: str, limits: Limits, surroundings: Surroundings = NONE, *, carried: bool = False, judges: bool = False
) -> Own:
    """Return the Python strategy with that name on the command line; with ``judges``, a property.

    ``carried``: send the source code to the processes, for machines that do not have the file. Raises
    ``StrategyError``.
    """
    what = replace(named(text), judges=judges)
    sent = what.carried() if carried else what

    def open_(number: int, *held: Held) -> PythonWorker:
        return PythonWorker(
            sent,
            limit=limits.seconds,
            memory_mb=limits.memory_mb,
            seed=number + 1,
            held=held,
            surroundings=surroundings,
        )

    def test(answer: Answer, path: Path) -> str | None:
        with PythonWorker(what, surroundings=surroundings) as worker:
            taken = worker.arguments
        beside = path.resolve().parent
        where = replace(what, where=os.path.relpath(Path(what.where).resolve(), beside)) if what.in_file else what
        return pytest_file(answer, where, taken, os.path.relpath(Path.cwd(), beside))

    @cache
    def code() -> tuple[ast.AST, ...]:
        return tuple(sources(what))

    def literals() -> Literals:
        return from_python(code())

    strategy = Strategy(what.text, "python", what.hash, *definition(what))

    def reads() -> tuple[str, ...]:
        return variables(code())

    return Own(strategy, (text,), open_, what, test, pytest_first, reads, literals)


def java(
    name: str, classpath: str, arguments: tuple[str, ...], limits: Limits, surroundings: Surroundings = NONE
) -> Own:
    """Return the Java strategy with that class name; ``arguments`` are for its constructor.

    Raises ``StrategyError``.
    """
    entries = classpaths.entries(classpath)

    def open_(number: int, *held: Held) -> JavaWorker:
        options = ONE_HASH if Held.HASHES in held else other_hashes(number)
        return JavaWorker(
            name,
            classpath,
            arguments,
            limit=limits.seconds,
            memory_mb=limits.memory_mb,
            options=options,
            surroundings=surroundings,
        )

    def test(answer: Answer, path: Path) -> str | None:
        with open_(0) as worker:
            return junit_file(answer, path.stem, worker.made, arguments)

    def fits(path: Path) -> None:
        if path.suffix != ".java" or not re.fullmatch(r"[A-Za-z_]\w*", path.stem, re.ASCII):
            raise UsageError(f"{path.name!r} is not the name of a Java test; write it like MyStrategyTest.java")

    given = (word for argument in arguments for word in ("--arg", argument))
    words = ("--java", name, "--classpath", classpath, *given)
    strategy = Strategy(name, "java", classpaths.hash_of(entries, name), _source_of(name))
    return Own(strategy, words, open_, None, test, junit_first, tuple, lambda: classpaths.literals(entries, name), fits)


def _source_of(name: str) -> str:
    """Return the path of a class's source in the usual folders; the most usual one if there is none."""
    inside = f"{name.partition('$')[0].replace('.', '/')}.java"
    places = [f"src/main/java/{inside}", f"src/{inside}", inside, f"{inside.rpartition('/')[2]}"]
    return next((place for place in places if Path(place).is_file()), places[0])


def known(name: str) -> Known | None:
    """Return RocketMQ's strategy with that short name or RocketMQ name; None if there is none."""
    return next((one for one in ALL if name in (one.name, one.rocketmq_name)), None)


def other(text: str, limits: Limits, surroundings: Surroundings = NONE) -> Known | Own:
    """Return the strategy that ``--same-as`` names. Raises ``UsageError`` or ``StrategyError``."""
    found = known(text)
    if found:
        return found
    if ":" not in text and not text.endswith(".py"):
        names = ", ".join(one.name for one in ALL)
        raise UsageError(
            f"--same-as: unknown strategy {text!r}; name your own like other.py:allocate, or one of {names}"
        )
    return python(text, limits, surroundings)
