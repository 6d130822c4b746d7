"""What is told of strategies of one's own, whose functions are called in this process."""

import json
from collections.abc import Iterator
from dataclasses import replace
from unittest.mock import patch

from rebalance_proofs.model.own.java.protocol import Made
from rebalance_proofs.model.own.named import Named
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.own.junit_5 import junit_file
from rebalance_proofs.report.own.page import document, page
from rebalance_proofs.report.own.told import so_far, told
from rebalance_proofs.report.own.written import pytest_file
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own import here
from rebalance_proofs.spark_enum.own import spaces as kinds
from rebalance_proofs.spark_enum.own.checked import check
from rebalance_proofs.spark_enum.own.rows import NEEDED
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.golden.digested import page_digested
from tests.spark_enum.own import strategies
from tests.spark_enum.own.here import Calling

BOUNDS = Bounds(4, 4, groups=60)
NAMES = {"remainder_to_the_last": 4, "overlaps": 3, "throws_without_a_queue": 3}
"""Names of strategies in ``tests/spark_enum/own/strategies.py`` -> how many arguments they take."""
SOME = 3
"""Bound of names that are tried in smaller groups, as they are within the bounds that a user has."""
ROWS = 6
"""How many rows of the JSON are kept."""
JAVA = Strategy("org.example.Deals", "java", "00ff" * 16)
MADE = Made("org.example.MessageQueue", ("int", "java.lang.String"))


def checked() -> Iterator[str]:
    """Of each strategy: each space when it is done, the whole answer, its JSON, tests that are written for it (if it
    were Java, too), and its page."""
    for name, arguments in NAMES.items():
        worker = Calling(getattr(strategies, name), arguments)
        done: list[str] = []
        with (
            patch.multiple(here, AGAIN=3_600.0, MOST=here.FEWEST),  # nothing goes by how fast the machine is
            patch.object(kinds, "SOME", SOME),
        ):
            found = check(
                spaces(Extent(BOUNDS)),
                lambda number, worker=worker: worker,
                lambda one, done=done: done.extend(line.text for line in so_far(one)),
                here.Here(seconds=0),
            )
        answer = Answer(
            Strategy(f"mine.py:{name}", "python", "00ff" * 16),
            ("rebalance", "check", f"mine.py:{name}"),
            replace(found, seconds=1.25),
            required=(*NEEDED, "balanced"),
        )
        yield f"# {name}"
        yield from done
        for everything in (False, True):
            yield from (f"{line.style:8}|{line.text}" for line in told(answer, everything=everything))
        told_to_tools = document(answer)
        rows = told_to_tools.pop("rows")
        yield from map(json.dumps, (told_to_tools, *rows[:ROWS]))
        if written := pytest_file(answer, Named("mine.py", name), arguments, "."):
            yield written
        java = replace(answer, strategy=JAVA, command=("rebalance", "check", "--java", JAVA.name))
        if written := junit_file(java, "MineTest", MADE, ("3", "a")):
            yield written
        yield from page_digested(page(answer))
