"""Check ``assignment.tsv``: answers of released brokers to ``QueryAssignment``.

Each row has what the broker knows and is configured with. Each listed member asks, and then a client that is not in
the list.
"""

from collections.abc import Sequence

from rebalance_proofs.model.assignment import STRATEGIES, pulled
from rebalance_proofs.model.assignment.broker import (
    BROADCASTING,
    CLUSTERING,
    POP,
    PULL,
    Configured,
    NotAllowed,
    QueryAssignmentProcessor,
    RequestMode,
)
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.recorded.rows import Row, Table, anything, expect, fitting, flag, in_turn, number, unless, words
from rebalance_proofs.recorded.tally import Format, Part

FILE = "assignment.tsv"
GROUP, BROKER, STRANGER = "G", "a", "z"
LMQ_FROM, EXISTENCE_FROM = (5, 3, 1), (5, 3, 3)
"""First releases in which light message queues need no route, and in which a mode needs a known topic and group."""


def _parts(text: str, what: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


def _mode(text: str, what: str) -> RequestMode:
    mode, _, share = text.partition(":")
    return RequestMode(words(PULL, POP)(mode, what), number(share, what))


LISTED = unless("-", _parts)
ROWS = Table(
    {
        "topic": anything,
        "queues": LISTED,
        "members": LISTED,
        "balancing": flag,
        "strategy": anything,
        "model": words(CLUSTERING, BROADCASTING),
        "requested": unless("-", _mode),
        "default": _mode,
        "releases": in_turn(fitting(bool, "empty"), _parts),
        "set": anything,
        "answers": anything,
    }
)
"""Columns: the inputs of a case, the releases that gave this answer, and the answer."""


def queue_named(topic: str, text: str) -> MessageQueue:
    """Return the queue of a text such as ``a3``: the broker's letter and the queue id."""
    return MessageQueue(topic, text[:1], number(text[1:], "a queue's id"))


def answers(row: Row, release: str) -> tuple[str, str]:
    """Return the answer to the request for a mode, and those to the members' requests, as the file writes them."""
    topic, queues, members = row.read("topic", "queues", "members")
    default, requested = row.read("default", "requested")
    at = tuple(map(int, release.split(".")))
    processor = QueryAssignmentProcessor(
        {} if queues is None else {topic: frozenset(queue_named(topic, one) for one in queues)},
        {} if members is None else {GROUP: members},
        Configured(BROKER, row["balancing"], default.mode, default.pop_share_queue_num),
        checks_existence=at >= EXISTENCE_FROM,
        knows_lmq=at >= LMQ_FROM,
        configured_groups=frozenset({GROUP}),
    )
    said = "-"
    if requested:
        try:
            processor.set_message_request_mode(topic, GROUP, requested)
            said = "set"
        except NotAllowed as refused:
            said = str(refused)
    found = (
        processor.query_assignment(topic, GROUP, one, row["model"], row["strategy"])
        for one in (*(members or ()), STRANGER)
    )
    return said, "|".join(_text(*answer) for answer in found)


def _text(assigned: frozenset[MessageQueue] | None, mode: str) -> str:
    if assigned is None:
        return "null"
    names = ",".join(f"{one.broker_name}{one.queue_id}" for one in sorted(assigned))
    return f"{mode} {names}" if names else ""


def part_of(strategy: str) -> Sequence[str]:
    """Return the part of the model that a row checks, for the strategy's name in the request."""
    return [one.name for one in STRATEGIES if pulled(one).rocketmq_name == strategy]


def check_row(row: Row) -> None:
    """Check the answers of each release of a row."""
    expect(row["releases"], "no release")
    what = "\t".join(str(row.value(name)) for name in ROWS.columns if name not in ("releases", "set", "answers"))
    for release in row["releases"]:
        computed = "\t".join(answers(row, release))
        recorded = f"{row['set']}\t{row['answers']}"
        row.compare(f"broker {release}", what, recorded, computed, part_of(row["strategy"]))


FORMAT = Format((Part(FILE, ROWS, check_row),))
