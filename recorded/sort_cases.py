"""``sort_cases.jsonl``: how every client sorts lists on which the clients may differ, and what AVG makes of them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.files import Line, VectorFile
from rebalance_proofs.recorded.format import Format
from rebalance_proofs.recorded.jsonl import client_ids, queues, queues_value, recorded_of_clients, row_object, value
from rebalance_proofs.recorded.outcome import Outcome, outcome, pinned, read_outcome
from rebalance_proofs.recorded.records import FileReport
from rebalance_proofs.recorded.tally import RowError, Tally, check_rows
from rebalance_proofs.recorded.text import quoted

__all__ = ["FORMAT"]

FILE = "sort_cases.jsonl"
INPUTS = frozenset({"id", "case", "mq", "cid"})


@dataclass(frozen=True)
class Sorted:
    """What one client made of the lists of a row, or the model in its place."""

    mq_all: list[MessageQueue]
    cid_all: list[str]
    results: list[Outcome]
    """What AVG gives to each entry of ``cid_all``."""


def check_row(tally: Tally, line: Line) -> None:
    """Every client that was observed has to sort both lists alike, and AVG has to give the same on its own order."""
    row = row_object(line.text)
    mq_all, cid_all = read_lists(row, "")
    observed = recorded_of_clients(row, INPUTS, tally, line)
    recorded = [(profile, read_sorted(found, profile)) for profile, found in observed]
    case = row.get("case", "no case name")
    for profile, theirs in recorded:
        ours = compute(profile, mq_all, cid_all)
        for what, of_client, of_model in (
            ("order of queues", queues_value(theirs.mq_all), queues_value(ours.mq_all)),
            ("order of client ids", theirs.cid_all, ours.cid_all),
            ("AVG", theirs.results, ours.results),
        ):
            tally.compare(line, profile, f"{what}, {case}", json.dumps(of_client), json.dumps(of_model))


def read_lists(found: Any, owner: str) -> tuple[list[MessageQueue], list[str]]:
    """``mq`` and ``cid`` of the row itself or of one client in it; nothing in them may be null, which has no order."""
    mq_all = queues(value(found, "mq"), f"{owner}mq")
    cid_all = client_ids(value(found, "cid"), f"{owner}cid")
    if any(queue is None or queue.broker_name is None for queue in mq_all) or None in cid_all:
        raise RowError(f"{owner}mq or {owner}cid holds a null, which cannot be sorted")
    return mq_all, cid_all


def read_sorted(found: Any, profile: Profile) -> Sorted:
    """What was recorded of one client."""
    client = profile.recorded_as
    if not isinstance(found, dict):
        raise RowError(f"{client} is {quoted(found)}, not an object of mq, cid and r")
    mq_all, cid_all = read_lists(found, f"{client}.")
    results = value(found, "r")
    if not isinstance(results, list) or len(results) != len(cid_all):
        raise RowError(f"{client}.r is {quoted(results)}, not a list of {len(cid_all)} results, one for each cid")
    return Sorted(
        mq_all,
        cid_all,
        [pinned(read_outcome(result, len(mq_all), profile, f"{client}.r")) for result in results],
    )


def compute(profile: Profile, mq_all: list[MessageQueue], cid_all: list[str]) -> Sorted:
    """What the model makes of the lists in the client's place."""
    mq_sorted, cid_sorted = profile.sort_queues(mq_all), profile.sort_client_ids(cid_all)
    return Sorted(
        mq_sorted,
        cid_sorted,
        [pinned(outcome(profile, AVERAGELY, cid, mq_sorted, cid_sorted)) for cid in cid_sorted],
    )


def check(found: Mapping[str, VectorFile]) -> tuple[FileReport, ...]:
    """The one file of this format."""
    return (check_rows(found[FILE], check_row),)


FORMAT = Format(files=(FILE,), check=check)
