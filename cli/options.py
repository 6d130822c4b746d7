"""Options shared by several commands."""

import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from rebalance_proofs.cli.params import Folder, Master, Seconds, Whole
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough

Function = TypeVar("Function", bound=Callable[..., Any])

CORES = os.cpu_count() or 1


def common(default_output: str | None = None) -> Callable[[Function], Function]:
    """Add ``--json``, ``--output`` and ``--overwrite``."""
    shown = f" [default: {default_output}]" if default_output else ""

    def decorate(function: Function) -> Function:
        function = click.option(
            "--overwrite",
            is_flag=True,
            help="Write into DIR although other files are in it: replaces the reports and other files of the same "
            "name that a run writes, removes nothing else.",
        )(function)
        function = click.option(
            "--output",
            type=Folder("name one that is new or empty"),
            default=default_output,
            metavar="DIR",
            help=f"Write a run directory: a new or empty folder, or an earlier run's, which is replaced.{shown}",
        )(function)
        return click.option("--json", "as_json", is_flag=True, help="Print results.json instead of text.")(function)

    return decorate


def jobs_option(meaning: str) -> Callable[[Function], Function]:
    """Add ``--jobs``, by default the number of cores."""
    return click.option("--jobs", type=Whole(1, 256), default=CORES, show_default="cores", metavar="N", help=meaning)


def solving(function: Function) -> Function:
    """Add ``--solver``, ``--timeout`` and ``--jobs``."""
    for option in (
        click.option(
            "--solver", type=click.Choice(["z3", "cvc5", "both"]), default="both", show_default=True, help="Who proves."
        ),
        click.option(
            "--timeout",
            type=Seconds(0.001, 86400),
            default=20.0,
            show_default=True,
            metavar="SECONDS",
            help="How long a solver may compute for one answer, in seconds of the processor: then it is ended.",
        ),
        jobs_option("Solver processes; also the cores of a local Spark."),
    ):
        function = option(function)
    return function


seed_option = click.option(
    "--seed",
    type=Whole(0, 2**32 - 1),
    metavar="N",
    help="Draws the numbers that premises have to leave open. [default: another one in each run]",
)
"""The option ``--seed``; see ``drawn``."""


def drawn(seed: int | None) -> int:
    """The given seed, or a random one."""
    return secrets.randbelow(2**32) if seed is None else seed


verbose_option = click.option(
    "--verbose", is_flag=True, help="A line for each claim and each sweep, also where no claims are named."
)


def enumerating(function: Function) -> Function:
    """Add ``--queues``, ``--consumers``, ``--quick``, ``--thorough``, ``--master`` and ``--parquet``."""
    for option in (
        click.option("--queues", type=int, metavar="N", help="Largest number of queues. [default: 64]"),
        click.option("--consumers", type=int, metavar="N", help="Largest number of consumers. [default: 64]"),
        click.option("--quick", is_flag=True, help="Small bounds: q, c <= 16, at most 25,000 groups a space."),
        click.option("--thorough", is_flag=True, help="The largest spaces whole; ask the solver at every size."),
        click.option("--master", type=Master(), metavar="URL", help="Spark master. [default: local[JOBS]]"),
        click.option("--parquet", is_flag=True, help="Keep the enumerated tables in the run directory."),
    ):
        function = option(function)
    return function


def solvers(choice: str) -> tuple[str, ...]:
    """Names of the solvers; ``both`` stands for two."""
    return ("z3", "cvc5") if choice == "both" else (choice,)


def bounds(queues: int | None, consumers: int | None, quick: bool, all_sizes: bool) -> Bounds:
    """Bounds from the four options. Raises ``UsageError`` if the options exclude each other."""
    if quick and all_sizes:
        raise UsageError("--quick and --thorough exclude each other")
    base = QUICK if quick else Bounds()
    chosen = replace(
        base,
        consumers=base.consumers if consumers is None else consumers,
        queues=base.queues if queues is None else queues,
    )
    return thorough(chosen) if all_sizes else chosen
