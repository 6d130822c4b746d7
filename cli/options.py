"""Options that several commands share, with the help texts that are the same on every command."""

import os
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from rebalance_proofs import ranges
from rebalance_proofs.cli.params import Folder, Master, Seconds, Whole
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.files import OWN
from rebalance_proofs.spark_enum.bounds import QUICK, Bounds, thorough

# The options ``--vectors`` and ``--no-vectors``: recorded results of real clients.

NO_VECTORS = "no recorded result of a real client was compared, because of --no-vectors"
"""Sentence for the reports of a run without the comparison with recorded results."""


vectors_option = click.option(
    "--vectors",
    type=Folder("leave out --vectors to use this project's recordings"),
    metavar="DIR",
    show_default="recordings of this project",
    help="Folder with recorded results of real clients.",
)
"""The option ``--vectors``."""
no_vectors_option = click.option(
    "--no-vectors",
    is_flag=True,
    help="Skip the comparison with recorded results of real clients. Every report mentions this.",
)
"""The option ``--no-vectors``."""


def asked_for(vectors: Path | None, no_vectors: bool) -> Path | None:
    """Return the folder of recorded results, by default this project's; None with ``--no-vectors``.

    Raises ``UsageError`` if both options are given.
    """
    if vectors and no_vectors:
        raise UsageError("--vectors and --no-vectors exclude each other; leave out one of them")
    return None if no_vectors else vectors or OWN


Function = TypeVar("Function", bound=Callable[..., Any])

CORES = os.cpu_count() or 1
SOLVERS = ("z3", "cvc5")


def common(default_output: str | None = None) -> Callable[[Function], Function]:
    """Add ``--json``, ``--output`` and ``--overwrite``."""

    def decorate(function: Function) -> Function:
        function = click.option(
            "--overwrite",
            is_flag=True,
            help="Write into DIR even if it contains other files. The run replaces files that have the names of its "
            "own files, and removes nothing else.",
        )(function)
        function = click.option(
            "--output",
            type=Folder("name a new or empty folder"),
            default=default_output,
            show_default=True,
            metavar="DIR",
            help="Write a run directory: a new or empty folder, or the folder of an earlier run, which is replaced.",
        )(function)
        return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(function)

    return decorate


def jobs_option(meaning: str) -> Callable[[Function], Function]:
    """Add ``--jobs``, by default the number of cores; ``meaning`` is its help text."""
    return click.option(
        "--jobs", type=Whole(*ranges.JOBS), default=CORES, show_default="cores", metavar="N", help=meaning
    )


def constructing(function: Function) -> Function:
    """Add ``--classpath`` and ``--arg``, for a user's strategy in Java."""
    for option in (
        click.option(
            "--arg",
            "arguments",
            multiple=True,
            metavar="TEXT",
            help="With --java: argument for the constructor. Repeat the option for more arguments.",
        ),
        click.option(
            "--classpath", metavar="JARS", help="With --java: jars and folders of the class, in the form of java -cp."
        ),
    ):
        function = option(function)
    return function


def solving(function: Function) -> Function:
    """Add ``--solver``, ``--timeout`` and ``--jobs``."""
    for option in (
        click.option(
            "--solver",
            type=click.Choice([*SOLVERS, "both"]),
            default="both",
            show_default=True,
            help="Solvers that prove or refute the claims.",
        ),
        click.option(
            "--timeout",
            type=Seconds(*ranges.TIMEOUT),
            default=20.0,
            show_default=True,
            metavar="SECONDS",
            help="CPU-time limit for each solver query, in seconds.",
        ),
        jobs_option("Number of solver processes, and of cores for a local Spark."),
    ):
        function = option(function)
    return function


seed_option = click.option(
    "--seed",
    type=Whole(*ranges.SEED),
    metavar="N",
    show_default="random",
    help="Random seed for the bounds of the vacuity checks.",
)
"""The option ``--seed``; see ``drawn``."""


def drawn(seed: int | None) -> int:
    """Return the given seed, or a random seed if None."""
    return secrets.randbelow(2**32) if seed is None else seed


verbose_option = click.option(
    "--verbose",
    is_flag=True,
    help="Print one line for each claim and each enumeration. This is the default if you name CLAIMS.",
)
"""The option ``--verbose``."""


def enumerating(function: Function) -> Function:
    """Add the options of enumerations: their bounds, ``--master`` and ``--parquet``."""
    for option in (
        click.option(
            "--queues",
            type=int,
            metavar="N",
            show_default=f"{Bounds().queues}, or {QUICK.queues} with --quick",
            help="Largest number of queues.",
        ),
        click.option(
            "--consumers",
            type=int,
            metavar="N",
            show_default=f"{Bounds().consumers}, or {QUICK.consumers} with --quick",
            help="Largest number of consumers.",
        ),
        click.option(
            "--quick", is_flag=True, help=f"Use small bounds: at most {QUICK.groups:,} groups in each enumeration."
        ),
        click.option(
            "--thorough",
            is_flag=True,
            help="Enumerate the largest spaces completely, and query the solver at every size.",
        ),
        click.option("--master", type=Master(), metavar="URL", show_default="local[JOBS]", help="Spark master URL."),
        click.option("--parquet", is_flag=True, help="Keep the enumerated tables in the run directory, as Parquet."),
    ):
        function = option(function)
    return function


def solvers(choice: str) -> tuple[str, ...]:
    """Return the names of the solvers that ``--solver`` selects."""
    return SOLVERS if choice == "both" else (choice,)


def bounds(queues: int | None, consumers: int | None, quick: bool, all_sizes: bool) -> Bounds:
    """Return the bounds that the options select; ``all_sizes`` is ``--thorough``.

    Raises ``UsageError`` if the options exclude each other, or if a number is out of range.
    """
    if quick and all_sizes:
        raise UsageError("--quick and --thorough exclude each other; leave out one of them")
    base = QUICK if quick else Bounds()
    chosen = replace(
        base,
        consumers=base.consumers if consumers is None else consumers,
        queues=base.queues if queues is None else queues,
    )
    return thorough(chosen) if all_sizes else chosen
