"""Every cell in the tables of clients agrees with the claims behind it."""

from collections import Counter
from pathlib import Path

import pytest

from rebalance_proofs.model.offsets import clients as offsets
from rebalance_proofs.model.pulls import clients as pulls
from rebalance_proofs.model.registry import clients as registry
from rebalance_proofs.model.settling import clients as settling
from rebalance_proofs.model.subscriptions import clients as subscriptions
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.report.english import listing
from rebalance_proofs.report.mark import Mark
from rebalance_proofs.report.seen import seen

GUARANTEES = Path(__file__).parent.parent.parent / "docs" / "reference" / "guarantees.md"
CLIENTS = (V4_9, V5_0, V5_2, NODE)
JAVA = ("java_v4_9", "java_v5_0", "java_v5_2")
EXPECTED = {claim.id: claim.expected for claim in LEDGER}

PROMISES: dict[str, tuple[str, ...]] = {
    "nothing fails": ("{}.exact {}.idempotent",) * 4,
    "a queue that is taken away is marked": (
        "java_v4_9.marked.as-shipped",
        "java_v5_0.marked",
        "java_v5_2.marked",
        "node.marked.clustering",
    ),
    "each new entry of a push": (
        "java_v4_9.pulls.push",
        "java_v5_0.pulls.push-as-shipped",
        "java_v5_2.pulls.push-as-shipped",
        "node.pulls",
    ),
    "a group's offset is sent": (*("{}.persisted.clustering-as-shipped",) * 3, "node.persisted.clustering"),
    "... if it can be sent": (
        *("{}.persisted.clustering-as-shipped.when-persist-works",) * 3,
        "node.persisted.clustering.when-persist-works",
    ),
    "a broadcasting consumer's offset": (
        *("{}.persisted.broadcasting-as-shipped.when-persist-works",) * 3,
        "node.persisted.broadcasting.when-persist-works",
    ),
    "a queue that is given back": (*("{}.returns.push-orderly-as-shipped",) * 3, "node.returns"),
    "... at the latest": (*("{}.heals.push",) * 3, "node.heals"),
    "an ordered queue's offset": (
        "java_v4_9.offset-kept.push-orderly",
        "java_v5_0.offset-kept.push-orderly",
        "java_v5_2.offset-kept",
        "",
    ),
    "its lock at the broker": (*("{}.unlocked.push-orderly.when-unlocks-arrive",) * 3, ""),
    "no rebalance gives its lock": (*("{}.listener.push-orderly",) * 3, ""),
    "no unlock that was put off": (*("{}.late-unlock.push-orderly-as-shipped",) * 3, ""),
    "no lock is left behind": (*("{}.no-stray-lock.push-orderly.when-unlocks-arrive",) * 3, ""),
    "ordered broadcasting takes": (
        *("{}.no-group-lock.push-orderly-broadcasting",) * 2,
        "{}.no-group-lock.push-orderly-broadcasting-up-to-5-3-1",
        "",
    ),
    "unsubscribing saves": ("{}.unsubscribed-offset",) * 4,
}
"""How a row begins -> the claims of each client, without the room; nothing where the client has no such thing."""
OWN_STORE: dict[str, tuple[str, ...]] = {
    "a queue that is taken away is marked": (
        "java_v4_9.marked.own-store",
        "java_v5_0.marked",
        "java_v5_2.marked",
        "",
    ),
    "each new entry of a push": ("java_v4_9.pulls.push", *("{}.pulls.push-own-store",) * 2, ""),
    "a queue that is given back": (*("{}.returns.own-store",) * 3, ""),
}
PUSH_ONLY = {"... at the latest": "{}.heals.pull-and-lite-pull"}
"""Where "push only" stands, this is refuted."""


def rows() -> tuple[list[list[str]], list[list[str]]]:
    """The cells of each row: of clients as shipped, and with a store of the user's own."""
    lines = GUARANTEES.read_text(encoding="utf-8").splitlines()
    header = "| | " + " | ".join(client.rocketmq_name for client in CLIENTS) + " |"
    begin = lines.index(header) + 2
    table = list(lines[begin : lines.index("", begin)])
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    (cut,) = [place for place, (first, *_) in enumerate(cells) if first.startswith("*with an offset store")]
    return cells[:cut], cells[cut + 1 :]


SHIPPED, OWN = rows()


@pytest.mark.parametrize(("cells", "promised"), [(SHIPPED, PROMISES), (OWN, OWN_STORE)], ids=["shipped", "own store"])
def test_every_cell_says_what_is_expected_of_its_claims(cells, promised):
    assert len(cells) == len(promised)
    for first, *said in cells:
        (start,) = [start for start in promised if first.startswith(start)]
        for client, word, ids in zip(CLIENTS, said, promised[start], strict=True):
            verdicts = {EXPECTED[f"transition.{id_.format(client.name)}"] for id_ in ids.split()}
            if not ids:
                assert word in ("", "no locks", "no order"), (first, client.name)
            elif word in ("always", "push only"):
                assert verdicts == {Verdict.PROVED}, (first, client.name)
            else:
                assert word.split(":")[0] == "no", (first, client.name)
                assert Verdict.REFUTED in verdicts, (first, client.name)
            if word == "push only":
                assert EXPECTED[f"transition.{PUSH_ONLY[start].format(client.name)}"] is Verdict.REFUTED


def test_what_is_always_so_of_an_ordered_consumer_is_so_of_the_others():
    """The rows about what comes back name the one way to use a client in which it fails."""
    for client in JAVA:
        assert EXPECTED[f"transition.{client}.returns.anything-but-push-orderly-as-shipped"] is Verdict.PROVED


OFFSETS = {
    "no message is skipped": "not-skipped",
    "... even if a broker answers": "not-skipped.without-answers",
    "... even if nothing is committed": "not-skipped.without-offset",
    "... if the group begins with the first": "not-skipped.first",
    "... even if a replica answers": "not-skipped.without-master",
    "... even if a replica without": "not-skipped.without-copy",
    "... with the first offset even if": "not-skipped.first-copy",
    "nothing is skipped": "since-added",
    "... that arrives after": "since-asked",
    "... even if the queue changes hands": "since-added.without-keeping",
    "no message is consumed twice": "once",
    "what was committed when": "only-uncommitted",
    "... even if a replica is asked": "only-uncommitted.without-master",
    "the committed offset never goes back": "never-back",
    "... further than": "back-at-most",
    "... even if one does": "back-at-most.without-steady",
    "what is consumed twice": "hand-over",
    "... even if it asks": "hand-over.without-turn",
    "... and not the second": "but-overtime",
    "no message is committed before": "finished.heeded",
    "... even if the listener returns": "finished.without-heeding",
    "... if shutdown() waits": "finished.awaited",
    "a reset in the consumer": "reset-sent",
    "... even if one is": "reset-sent.without-quiet",
    "the rebalance with which": "reset-heard",
}
"""How a row begins -> the claims, without the room and the client."""
OFFSETS_BY_LOOP = {
    "no message is skipped": "not-skipped",
    "... even if a query": "not-skipped.without-answers",
    "... even if nothing is committed": "not-skipped.without-offset",
    "... even if the committed offset is 0: it is sent": "not-skipped.without-above",
    "... even if a consumer is shut down": "not-skipped.without-open",
    "... if the group begins with the first": "not-skipped.first",
    "no message is consumed twice": "once",
    "what was committed when": "only-uncommitted",
    "the committed offset never goes back": "never-back",
    "... further than": "back-at-most",
    "... even if the committed offset is 0": "back-at-most.without-above",
    "once a queue's entry": "stops",
    "what is consumed twice": "hand-over",
    "... and not the second": "but-overtime",
}
OFFSETS_IN_ORDER = {
    "no message is skipped": "not-skipped",
    "... even if a broker answers": "not-skipped.without-answers",
    "... even if nothing is committed": "not-skipped.without-offset",
    "... if the group begins with the first": "not-skipped.first",
    "nothing is skipped": "since-pulled",
    "... that arrives while": "since-added",
    "... even if the queue changes hands": "since-pulled.without-keeping",
    "no message is consumed twice": "once",
    "... but for at most one batch": "one-batch",
    "... even if a consumer asks": "one-batch.without-turn",
    "... even if a consumer's process ends": "one-batch.without-staying",
    "... even if a queue comes": "one-batch.without-steady",
    "what was committed when": "only-uncommitted",
    "the committed offset never goes back": "never-back",
    "... further than": "back-at-most",
    "the first pull": "from-an-offset",
    "no message is committed before": "finished.heeded",
    "... even if the listener returns": "finished.without-heeding",
    "a reset in the consumer": "reset-sent",
    "... even if a pull": "reset-sent.without-quiet",
    "the rebalance with which": "reset-heard",
}
WORDS = {Verdict.PROVED: "always", Verdict.REFUTED: "no", None: "-"}


SETTLING = {
    "at most the timer's wait": "settles",
    "... even if rebalances fail": "settles.fails",
    "... and no less": "as-long",
    "... even without the timer": "settles.without-timer",
    "a client that was notified": "woken.without-timely",
    "... but for a wake-up": "woken",
    "a thread waits between": "waits",
    "one rebalance is": "alone",
    "... even if somebody does:": "alone.without-resume",
    "two rebalances are": "apart",
    "... even if somebody does": "apart.without-resume",
}
SUBSCRIPTIONS = {
    "with equal topics, once a heartbeat": "calm",
    "with different ones": "restless",
    "... and a refused pull": "answered.without-room",
    "... if heartbeats without the topic": "answered",
    "... but sooner than twice": "answered-later",
    "with equal topics, after a change": "accepted-soon",
    "... even if one was": "accepted-soon.without-free",
    "... but then no longer": "accepted",
    "... nor after the broker": "accepted.forgotten",
    "with equal tags": "own-tags",
    "... even with different tags": "own-tags.without-same-tags",
    "... of a member whose version": "own-tags.newest",
    "pulls that have their expression": "posted",
}
FIRST_PULLS = {
    "the first pull of a queue": "first-pull",
    "... even if a heartbeat takes": "first-pull.without-soon",
    "... even if one was under": "first-pull.without-free",
}
PULLS = {
    "a queue whose entry is not marked": "has-request",
    "... even if an RPC hook": "has-request.without-hook",
    "... even if an `Error` is thrown": "has-request.without-callback",
    "never more than one": "one-request",
    "... even if a pull's time": "one-request.without-connection",
    "one that is lost": "healed",
    "... even after an `Error`": "healed.without-error",
    "no old request": "dies",
    "... even if the entry of an ordered": "dies.without-query",
    "a consumer that is suspended": "rests",
    "one that is not": "lets-go",
    "... even if it is suspended": "lets-go.without-running",
    "the repair": "repairs-while-held",
}

REGISTRY = {
    "each list of ids": "listed",
    "... even if the broker restarts": "listed.without-restart",
    "... even if its connection ends": "listed.without-connection",
    "it is listed again": "again",
    "a process that dies": "at-once",
    "... even if its host": "at-once.without-close",
    "a member that is shut down": "good-bye",
    "who is gone": "gone",
    "... even if its good-bye": "gone.without-other-group",
    "... and no less": "as-long",
    "no list has an id": "once",
    "... even if a broker is slow": "once.without-order",
    "... for longer than": "once-again",
    "two brokers": "agree",
    "... even if they arrive at one": "agree.without-heartbeats",
    "whenever the list": "told",
    "... even if the scan": "told.without-close",
    "a client has a new route": "routed",
}


@pytest.mark.parametrize(
    ("kind", "clients", "rows"),
    [
        ("offsets", offsets.CONCURRENT, OFFSETS),
        ("offsets", offsets.BY_LOOP, OFFSETS_BY_LOOP),
        ("offsets", offsets.ORDERLY, OFFSETS_IN_ORDER),
        ("pulls", pulls.CLIENTS, PULLS),
        ("settling", settling.CLIENTS, SETTLING),
        ("subscriptions", (subscriptions.PLAIN, subscriptions.WITH_V2), SUBSCRIPTIONS),
        ("subscriptions", (subscriptions.PULLS_AT_ONCE, subscriptions.PULLS_LATER), FIRST_PULLS),
        ("registry", (registry.ALL,), REGISTRY),
    ],
    ids=[
        "offsets",
        "offsets of Node",
        "offsets in order",
        "pulls",
        "settling",
        "subscriptions",
        "first pulls",
        "registry",
    ],
)
def test_every_cell_of_a_client_says_what_is_expected_of_its_claim(kind, clients, rows):
    lines = GUARANTEES.read_text(encoding="utf-8").splitlines()
    begin = lines.index("| | " + " | ".join(client.rocketmq_name for client in clients) + " |") + 2
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[begin : lines.index("", begin)]]
    assert len(cells) == len(rows)
    for (first, *said), (start, claim) in zip(cells, rows.items(), strict=True):
        assert first.startswith(start)
        for client, word in zip(clients, said, strict=True):
            assert word == WORDS[EXPECTED.get(f"{kind}.{client.name}.{claim}")], (first, client.name)


def test_whether_a_reconnect_is_told_at_once_is_as_the_claims_have_it():
    assert "from 5.2 on it does" in GUARANTEES.read_text(encoding="utf-8")
    verdicts = {one.name: EXPECTED.get(f"registry.{one.name}.anew") for one in registry.CLIENTS}
    assert verdicts[registry.SILENT.name] is Verdict.REFUTED
    assert verdicts[registry.GREETING.name] is Verdict.PROVED


@pytest.mark.parametrize(
    ("clients", "rows"),
    [(offsets.CONCURRENT, OFFSETS), (offsets.BY_LOOP, OFFSETS_BY_LOOP), (offsets.ORDERLY, OFFSETS_IN_ORDER)],
)
def test_no_claim_about_offsets_is_left_out(clients, rows):
    claimed = {name.partition(".")[2].partition(".")[::2] for name in EXPECTED if name.startswith("offsets.")}
    names = {client.name for client in clients}
    assert {claim for client, claim in claimed if client in names} <= set(rows.values())


def test_whether_a_member_lives_on_whose_start_has_thrown_is_as_the_claims_have_it():
    assert "from 5.3.2 on it is" in GUARANTEES.read_text(encoding="utf-8")
    verdicts = {one.name: EXPECTED.get(f"registry.{one.name}.not-started") for one in registry.CLIENTS}
    assert verdicts[registry.GOES_ON.name] is Verdict.REFUTED
    assert verdicts[registry.STOPS.name] is Verdict.PROVED


KINDS = {
    "A client's table of queues": ("transition",),
    "Ordered consumption": ("ordered",),
    "Offsets": ("offsets",),
    "Pull requests": ("pulls",),
    "When a client rebalances": ("settling",),
    "Whom brokers list, and routes": ("registry",),
    "Subscriptions": ("subscriptions",),
    "All of it added up": ("ordered", "settling", "registry"),
}
"""Heading -> what its claims are about."""


def test_each_table_says_what_was_seen_of_real_clients():
    """Of the clients that have a column: as the claims say it."""
    sections = GUARANTEES.read_text(encoding="utf-8").split("\n## ")[1:]
    told = {heading: rest.strip().split("\n")[0] for heading, _, rest in (part.partition("\n") for part in sections)}
    assert {*told} == {*KINDS}
    for heading, kinds in KINDS.items():
        claims = [claim for claim in LEDGER if claim.kind in kinds]
        if heading == "A client's table of queues":
            claims = [claim for claim in claims if {*claim.subjects} <= {*CLIENTS}]
        marks = Counter(seen(claim).mark for claim in claims)
        if len(marks) > 1:
            counted = ", ".join(f"{marks[mark]} {mark}" for mark in Mark if marks[mark])
            assert told[heading] == f"Real clients: {counted}, of {len(claims)} claims."
            continue
        (mark,) = marks
        clients = sorted(
            {client for claim in claims for client in seen(claim).results}, key=lambda name: (name[0] == "a", name)
        )
        assert told[heading] == f"Real clients: {mark}{', of ' if clients else ''}{listing(clients)}."
