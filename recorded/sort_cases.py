"""Check ``sort_cases.jsonl``: how each client sorts lists that clients may sort differently.

The rows also have results of AVG with the sorted lists.
"""

import json
from typing import Any

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.profiles import Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import Objects, client_ids, of_type, queues, queues_value, recorded_of_clients
from rebalance_proofs.recorded.outcome import Outcome, outcome, read_outcomes
from rebalance_proofs.recorded.rows import Row, anything, expect
from rebalance_proofs.recorded.tally import Format, Part

COMPARED = ("order of queues", "order of client ids", "AVG")
INPUTS = frozenset({"id", "case", "mq", "cid"})
LISTS = {"mq": queues, "cid": client_ids}
ROWS = Objects({**LISTS, "case": anything})
SORTED = Objects({**LISTS, "r": anything})
"""Reader of one client's sorted lists and results."""
sorted_object = of_type(dict, "not an object of mq, cid and r")


Sorted = tuple[list[Any], list[str], list[Outcome]]
"""mqAll and cidAll as a client sorts them, and the outcome of AVG for each entry of cidAll."""


def check_row(row: Row) -> None:
    """Check that the model sorts both lists as each recorded client, and AVG returns the same."""
    mq_all, cid_all = read_lists(row)
    observed = recorded_of_clients(row, INPUTS)
    recorded = [(profile, read_sorted(found, profile)) for profile, found in observed]
    for profile, theirs in recorded:
        ours = compute(profile, mq_all, cid_all)
        for what, of_client, of_model in zip(COMPARED, theirs, ours, strict=True):
            case = f"{what}, {row.get('case', 'no case name')}"
            code = [AVERAGELY.name] * (what == AVERAGELY.rocketmq_name)
            row.compare(profile, case, json.dumps(of_client), json.dumps(of_model), code)


def read_lists(row: Row) -> tuple[list[MessageQueue], list[str]]:
    """Return the fields ``mq`` and ``cid`` of the row, or of one client in it.

    Raises ``RowError`` for null.
    """
    mq_all, cid_all = row.read("mq", "cid")
    nulls = any(queue is None or queue.broker_name is None for queue in mq_all) or None in cid_all
    expect(not nulls, f"{row.prefix}mq or {row.prefix}cid contains a null, which cannot be sorted")
    return mq_all, cid_all


def read_sorted(found: Any, profile: Profile) -> Sorted:
    """Return one client's recorded sorted lists and outcomes."""
    name = profile.recorded_as
    assert name is not None
    row = SORTED.row(sorted_object(found, name), f"{name}.")
    mq_all, cid_all = read_lists(row)
    results = read_outcomes(row["r"], len(cid_all), len(mq_all), profile, f"{row.prefix}r")
    return queues_value(mq_all), cid_all, results


def compute(profile: Profile, mq_all: list[MessageQueue], cid_all: list[str]) -> Sorted:
    """Return a client's sorted lists and outcomes as the model computes them."""
    mq_sorted, cid_sorted = profile.sort_queues(mq_all), profile.sort_client_ids(cid_all)
    results = [outcome(profile, AVERAGELY, cid, mq_sorted, cid_sorted) for cid in cid_sorted]
    return queues_value(mq_sorted), cid_sorted, results


FORMAT = Format((Part("sort_cases.jsonl", ROWS, check_row),))
