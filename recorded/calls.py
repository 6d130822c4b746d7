"""Rows of JSON-lines files: arguments of ``allocate``, and every recorded client's result.

The lists are passed to ``allocate`` unchanged: no client sorts them here.
"""

import json
from collections.abc import Collection
from typing import Any, NamedTuple

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.profiles import ClientError, Profile
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.jsonl import (
    ARGUMENT_KEYS,
    ARGUMENTS,
    NEARBY,
    Objects,
    argument_keys,
    client_ids,
    of_type,
    queues,
    recorded_of_clients,
    text,
)
from rebalance_proofs.recorded.outcome import (
    NAMES,
    POSITIONS,
    Notation,
    Outcome,
    outcome,
    read_outcome,
    read_outcomes,
    thrown,
)
from rebalance_proofs.recorded.rows import TOPIC, Row, Unmodelled, anything, expect, quoted
from rebalance_proofs.recorded.tally import Format, Part

CALL_ROWS = Objects(
    {"s": of_type(str, "not the name of a strategy"), "topic": text, "case": anything} | dict(ARGUMENT_KEYS)
)
INPUTS = frozenset({"id", "case", "mq", "cid", "cur"})


class Call(NamedTuple):
    """The arguments of a recorded call of the strategy's ``allocate``."""

    strategy: str
    mq_all: list[MessageQueue | None] | None
    cid_all: list[str | None] | None
    current_cids: list[str | None]
    """Ids that call ``allocate``: the row's caller or, if it names none, each id of cidAll."""
    in_turn: bool


class Recorded(NamedTuple):
    """Recorded results of one client for one row."""

    results: list[Outcome]
    """One result per calling id, or a single one if the strategy could not be constructed."""
    single: bool
    """True if the file has one result instead of a list."""
    notation: Notation


def check_call(row: Row, strategy: str, inputs: Collection[str], topic: str = TOPIC) -> None:
    """Check that every recorded client returns or throws the same in the model.

    ``inputs``: further keys of the row that are not clients' results.
    """
    call = read_call(row, strategy, topic)
    known = {*INPUTS, *inputs, *argument_keys(row, strategy)}
    recorded = [
        (profile, constructed(row, strategy, profile), read_results(found, call, profile, row))
        for profile, found in recorded_of_clients(row, known)
    ]
    what = f"{strategy}, {row.get('case', 'no case name')}"
    for profile, ours, theirs in recorded:
        computed = compute(profile, call, ours, theirs)
        row.compare(profile, what, written(theirs.results, theirs.single), computed, code(row, strategy, profile))


def code(row: Row, name: str, profile: Profile) -> list[str]:
    """Return the parts of the model that are checked, for the counts.

    They are the client's strategy ``name`` and, with an inner strategy, also this pair.
    """
    strategy = profile.strategy(name)
    inside = profile.strategy(row.fields.get("inner") or "") if name == NEARBY else None
    return [strategy.name, *([f"{strategy.name}-{inside.name}"] if inside else [])] if strategy else []


def constructed(row: Row, name: str, profile: Profile) -> Strategy | ClientError | None:
    """Return the client's strategy with the row's constructor arguments.

    Return the constructor's error if it throws, and None if the client has no such strategy.
    """
    strategy = profile.strategy(name)
    try:
        arguments = ARGUMENTS[name].read(row, profile)
        return strategy and profile.configured(strategy, **arguments)
    except ClientError as error:
        return strategy and error


def read_call(row: Row, strategy: str, topic: str) -> Call:
    """Return the inputs of a row; both lists can be null."""
    mq_all, cid_all = row.value("mq"), row.value("cid")
    mq_all = None if mq_all is None else queues(mq_all, "mq", topic)
    cid_all = None if cid_all is None else client_ids(cid_all, "cid")
    in_turn = "cur" not in row.fields
    expect(cid_all or not in_turn, "neither cur nor an entry of cid names the caller")
    callers = cid_all or [] if in_turn else client_ids([row.fields["cur"]], "cur")
    return Call(strategy, mq_all, cid_all, callers, in_turn)


def read_results(found: Any, call: Call, profile: Profile, row: Row) -> Recorded:
    """Return one client's results, one for each calling id, or its constructor's error."""
    name, q = profile.recorded_as, len(call.mq_all or ())
    assert name is not None
    notation = notation_of(found, call.strategy, row)
    if not call.in_turn or isinstance(found, dict):
        return Recorded([read_outcome(found, q, profile, name, notation)], True, notation)
    return Recorded(read_outcomes(found, len(call.current_cids), q, profile, name, notation), False, notation)


def notation_of(found: Any, strategy: str, row: Row) -> Notation:
    """Return how the row writes a client's resulting queues.

    Queues of CONFIG need not be in mqAll.
    """
    if strategy == "CONFIG":
        return NAMES
    lists = [found, *found] if isinstance(found, list) else []
    named = any(isinstance(item, str) for each in lists if isinstance(each, list) for item in each)
    return NAMES if named and strategy == NEARBY and row.fields.get("inner") == "CONFIG" else POSITIONS


def compute(profile: Profile, call: Call, strategy: Strategy | ClientError | None, theirs: Recorded) -> str:
    """Return the model's results for the call, as text like the recorded results ``theirs``."""
    if strategy is None:
        return f"nothing, this client ships no {call.strategy}"
    if isinstance(strategy, ClientError):
        return written([thrown(strategy) for _ in call.current_cids], theirs.single)
    results = [outcome(profile, strategy, cid, call.mq_all, call.cid_all, theirs.notation) for cid in call.current_cids]
    return written(results, not call.in_turn)


def written(results: list[Outcome], single: bool) -> str:
    """Return results as text in the form of the file; ``single``: one result instead of a list."""
    return json.dumps(results[0] if single else results)


# Check ``errors.jsonl`` and ``config.jsonl``: results for unusual arguments.
# Arguments are empty, null, repeated or unsorted.


def check_row(row: Row) -> None:
    """Check the recorded results of a row, whose field ``s`` names the strategy."""
    strategy = row["s"]
    if strategy not in ARGUMENTS:
        raise Unmodelled(f"strategy {quoted(strategy)} is not modelled")
    check_call(row, strategy, inputs={"s"})


FORMAT = Format((Part("errors.jsonl", CALL_ROWS, check_row), Part("config.jsonl", CALL_ROWS, check_row)))
