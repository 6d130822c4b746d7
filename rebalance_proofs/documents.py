"""Types of the documents that ``--json`` prints and the public functions return.

The JSON schemas in ``report/schema/`` explain every field; times are in milliseconds. ``Json``: an object that only its
schema describes.
"""

from typing import Any, NotRequired, TypedDict

Json = dict[str, Any]


class Share(TypedDict):
    """The queues that one member takes of one topic, as indexes in the topic's list."""

    id: str
    topic: str
    queues: list[int]
    foreign: list[Json]
    failed: str | None


class Places(TypedDict):
    """Queues of one topic, as indexes in its list."""

    topic: str
    queues: list[int]


class Division(TypedDict):
    """The shares of all members under one strategy."""

    strategy: str
    name: str
    source: str
    seen: str
    least: int
    most: int
    level: bool
    sound: bool
    shares: list[Share]
    unread: list[Places]
    several: list[Places]


class Shares(TypedDict):
    """Answer of ``allocate`` and ``rebalance shares``."""

    format: int
    topics: list[Json]
    members: list[Json]
    rooms: list[str]
    sentence: str
    strategies: list[Division]


class Cause(TypedDict):
    """One possible cause of a symptom."""

    name: str
    symptom: str
    sentence: str
    needs: str
    known: str
    claimed: bool
    shown_by: list[str]
    excluded_by: list[str]
    bounded_by: list[str]
    read_in: list[str]
    lasts: Json
    told_last: bool
    lines: list[Json]
    looks: list[str]
    helps: list[str]
    bugs: list[Json]
    seen: dict[str, str]


class Sign(TypedDict):
    """One kind of observation in pasted output, with the names of its causes."""

    sign: str
    sentence: str
    seen: list[str]
    causes: list[str]


class Explanation(TypedDict):
    """Answer of ``explain`` and ``rebalance why``."""

    format: int
    asked: Json
    remark: str | None
    first: list[str]
    symptoms: list[Json]
    causes: list[Cause]
    lines: list[Json]
    signs: list[Sign]
    untold: list[str]
    understood: Json | None


class LoggedQueue(TypedDict):
    """A queue that log lines name."""

    topic: str
    broker: str
    id: int


class Place(TypedDict):
    """A line of a log."""

    file: str
    line: int


Ownership = TypedDict(
    "Ownership",
    {
        "client": str,
        "log": str,
        "queue": LoggedQueue,
        "from": int,
        "to": int,
        "from_logged": bool,
        "to_logged": bool,
        "evidence": list[Place],
    },
)
"""A time in which a member had a queue."""
Finding = TypedDict(
    "Finding",
    {
        "what": str,
        "level": str,
        "topic": str,
        "members": list[str],
        "from": int | None,
        "to": int | None,
        "queues": list[Json],
        "detail": str,
        "numbers": dict[str, int],
        "evidence": list[Place],
        "causes": list[Json],
    },
)
"""One finding of an audit."""


class AuditedGroup(TypedDict):
    """What the logs show about one consumer group."""

    group: str
    system: bool
    members_seen: int
    coverage: list[Json]
    mirrored: list[Json]
    owners: list[Ownership]
    findings: list[Finding]
    departures: list[Json]


class Audit(TypedDict):
    """Answer of ``audit`` and ``rebalance audit``."""

    format: int
    status: int
    evidence: bool
    never: dict[str, int]
    digest: str
    spark: str
    zone_ms: int
    client: str
    remark: str | None
    files: list[Json]
    nameless_lines: int
    left: list[Json]
    groups: list[AuditedGroup]
    known_lines: list[Json]
    not_modelled: list[Json]
    named_groups: list[Json]
    mqadmin: list[Json]


class Smallest(TypedDict):
    """The smallest group in which a guarantee is broken."""

    consumers: int
    queues: int
    sentence: str
    group: str
    reproduce: str | None
    stages: list[Json]


class Guaranteed(TypedDict):
    """One guarantee of a user-defined strategy: whether it holds."""

    name: str
    sentence: str
    holds: str
    required: bool
    tried: list[Json]
    smallest: Smallest | None
    with_other_names: Smallest | None


class Check(TypedDict):
    """Answer of ``check`` and ``rebalance check``."""

    format: int
    strategy: Json
    ok: bool
    required: list[str]
    rows: list[Guaranteed]
    movement: dict[str, int]
    printed: list[str]
    returns_null: bool
    changes_arguments: str | None
    gave_up: bool
    depends_on: Json | None
    names_that_differ: list[str] | None
    names_tried: list[Json]
    complete: bool
    calls: int
    seconds: float
    spark: str | None
    proofs: list[Json]


class Judgement(TypedDict):
    """Answer of ``judge`` and ``rebalance show``: one claim, as in ``results.json``."""

    id: str
    sentence: str
    assumes: list[str]
    where: list[str]
    covers: list[str]
    about: str
    given: str
    family: str
    strategies: list[str]
    guarantee: str
    dropped_premise: str | None
    expected: str
    verdict: str
    green: bool
    reason: str
    contradictions: list[str]
    scope: str
    source: str
    seen: Json
    seconds: float
    obligations: list[Json]
    mutants: list[Json]
    search: Json | None
    counterexample: Json | None
    certified: NotRequired[Json]
