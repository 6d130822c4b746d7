"""``errors.jsonl``: what ``allocate`` of every client makes of empty, null, repeated and unsorted arguments.

The lists are passed to ``allocate`` as they are: no client sorts them here.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from model.allocation import STRATEGIES
from model.conformance.files import Line, VectorFile
from model.conformance.format import Format
from model.conformance.jsonl import Row, client_ids, queues, recorded_of_clients, row_object, value
from model.conformance.outcome import Outcome, outcome, pinned, read_outcome
from model.conformance.records import FileReport
from model.conformance.tally import RowError, Tally, check_rows
from model.conformance.text import quoted
from model.profiles import Profile
from model.queues import MessageQueue

__all__ = ["FORMAT"]

FILE = "errors.jsonl"
INPUTS = frozenset({"id", "case", "s", "mq", "cid", "cur"})
MODELLED = frozenset(strategy.rocketmq_name for strategy in STRATEGIES)


@dataclass(frozen=True)
class Call:
    """The arguments of ``allocate``."""

    strategy: str
    mq_all: list[MessageQueue | None] | None
    cid_all: list[str | None] | None
    current_cids: list[str | None]
    """The caller; when the row names none, every entry of cidAll in turn."""
    in_turn: bool


def check_row(tally: Tally, line: Line) -> None:
    """Every client that was observed has to return the same positions, or throw the same."""
    row = row_object(line.text)
    strategy = value(row, "s")
    if not isinstance(strategy, str):
        raise RowError(f"s is {quoted(strategy)}, not the name of a strategy")
    if strategy not in MODELLED:
        tally.skip(f"strategy {quoted(strategy)} is not modelled")
        return
    call = read_call(row, strategy)
    recorded = [
        (profile, read_results(found, call, profile)) for profile, found in recorded_of_clients(row, INPUTS, tally)
    ]
    what = f"{strategy}, {row.get('case', 'no case name')}"
    for profile, results in recorded:
        tally.compare(line, profile, what, text(results, call), compute(profile, call))


def read_call(row: Row, strategy: str) -> Call:
    """The inputs of a row; both lists can be null."""
    mq_all, cid_all = value(row, "mq"), value(row, "cid")
    mq_all = None if mq_all is None else queues(mq_all, "mq")
    cid_all = None if cid_all is None else client_ids(cid_all, "cid")
    if "cur" in row:
        return Call(strategy, mq_all, cid_all, client_ids([row["cur"]], "cur"), in_turn=False)
    if not cid_all:
        raise RowError("neither cur nor an entry of cid says who calls")
    return Call(strategy, mq_all, cid_all, cid_all, in_turn=True)


def read_results(found: Any, call: Call, profile: Profile) -> list[Outcome]:
    """One client's results, one for each caller."""
    name, q = profile.recorded_as, len(call.mq_all or ())
    if not call.in_turn:
        return [read_outcome(found, q, profile, name)]
    if not isinstance(found, list) or len(found) != len(call.current_cids):
        raise RowError(f"{name} is {quoted(found)}, not a list of {len(call.current_cids)} results, one for each cid")
    return [read_outcome(item, q, profile, name) for item in found]


def compute(profile: Profile, call: Call) -> str:
    """What the model gives for the call, as the file writes it."""
    strategy = profile.strategy(call.strategy)
    if strategy is None:
        return f"nothing, this client ships no {call.strategy}"
    results = [outcome(profile, strategy, cid, call.mq_all, call.cid_all) for cid in call.current_cids]
    return text(results, call)


def text(results: list[Outcome], call: Call) -> str:
    """Results as the file writes them, without what is not to be compared."""
    compared = [pinned(result) for result in results]
    return json.dumps(compared if call.in_turn else compared[0])


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The one file of this format."""
    return (check_rows(found[FILE], check_row),)


FORMAT = Format(files=(FILE,), check=check)
