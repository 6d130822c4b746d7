"""Sections of guarantees.md on process queue tables, ordered consumption, and pull requests."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from rebalance_proofs.model.machines.ordered import actions as ordered
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.machines.pulls import actions as pulls
from rebalance_proofs.model.transition.clients import NODE, V4_9, V5_0, V5_2
from rebalance_proofs.proofs.claim import Claim, Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.ordered.passing import TICK, Way
from rebalance_proofs.proofs.ordered.pauses import longest
from rebalance_proofs.proofs.ordered.safe import longest_listener
from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.markdown_tables import table
from rebalance_proofs.report.ordered.two_events import ONE_EVENT
from rebalance_proofs.report.text.english import seconds

# Rows, tables and sections of the guarantees page. The claims' verdicts give a cell's word.

MOST_WORDS = 12
"""Largest number of words in a label."""
ISSUES = "https://github.com/apache/rocketmq/issues"


@dataclass(frozen=True)
class Row:
    """One guarantee, with a cell for each client.

    ``{}`` in a claim id is replaced with the client's name.
    """

    label: str
    claims: str | Mapping[str, str]
    """Claim ids without their first part, separated by spaces: for all clients, or client -> ids."""
    issue: int = 0
    """The number of the RocketMQ issue about a failure of the guarantee."""
    why: Mapping[str, str] = field(default_factory=dict)
    """Client -> the reason, shown after "no", why the guarantee does not hold."""
    absent: Mapping[str, str] = field(default_factory=dict)
    """Client -> the word in its cell, for clients without a claim about the guarantee."""
    only: tuple[str, str] | None = None
    """(word, claim ids): shown instead of "always" if these further claims are refuted."""

    @property
    def words(self) -> str:
        """Return the row's label, with a link to the issue if there is one."""
        return f"{self.label} ([#{self.issue}]({ISSUES}/{self.issue}))" if self.issue else self.label

    def of(self, kind: str, client: str) -> list[Claim]:
        """Return the row's claims about that client; may be empty.

        Raises ``LookupError`` if the row names an id for this client that the ledger does not have.
        """
        if isinstance(self.claims, str):
            ids = self.claims if "{}" in self.claims else f"{{}}.{self.claims}"
            known = _claims()
            return [known[one] for name in ids.split() if (one := f"{kind}.{name.format(client)}") in known]
        return [LEDGER.named(f"{kind}.{name.format(client)}") for name in self.claims.get(client, "").split()]


@dataclass(frozen=True)
class Table:
    """A table with a row for each guarantee and a column for each client."""

    kind: str
    clients: Sequence[Any]
    rows: Sequence[Row]
    head: str = ""
    """The line above the table; empty if the section has only one table."""


@dataclass(frozen=True)
class Section:
    """A section of the page: heading, scope, assumptions, tables, and further lines."""

    title: str
    scope: str
    assumptions: Sequence[str]
    tables: Sequence[Table]
    about: Callable[[Claim], bool]
    """Function: does a claim count in the section's line about conformance marks?"""
    more: Callable[[], Iterator[str]] = lambda: iter(())
    """Lines of text below the section's tables."""


@cache
def _claims() -> Mapping[str, Claim]:
    return {claim.id: claim for claim in LEDGER}


def cell(row: Row, kind: str, client: str) -> str:
    """Return the word for one client, such as "always" or "no", linked to the claim that decides it.

    Raises ``LookupError`` if no claim decides it.
    """
    claims = row.of(kind, client)
    if not claims:
        return row.absent.get(client, "–")
    if client in row.absent:
        raise LookupError(f"{row.label}: {client} has a claim and a word for none")
    refuted = [claim for claim in claims if claim.expected is Verdict.REFUTED]
    if refuted:
        why = row.why.get(client, "")
        return f"[no]({from_docs(refuted[0].id)}){f': {why}' if why else ''}"
    if any(claim.expected is not Verdict.PROVED for claim in claims) or client in row.why:
        raise LookupError(f"{row.label}: the verdicts for {client} decide nothing, or a reason is given for none")
    word = "always"
    if row.only:
        others = Row("", row.only[1]).of(kind, client)
        word = row.only[0] if any(one.expected is Verdict.REFUTED for one in others) else word
    return f"[{word}]({from_docs(claims[0].id)})"


CALM = f"This bound holds {ONE_EVENT}"
JAVA = (V4_9, V5_0, V5_2)
CLIENTS = (*JAVA, NODE)
NO_LOCKS, NO_ORDER = {NODE.name: "no locks"}, {NODE.name: "no order"}


def _each(java: str, node: str = "", v4_9: str = "", v5_2: str = "") -> dict[str, str]:
    """Return claim ids by client, from the last parts of the ids.

    ``java`` applies to all Java versions without their own argument.
    """
    return {V4_9.name: v4_9 or java, V5_0.name: java, V5_2.name: v5_2 or java, NODE.name: node}


SHIPPED = (
    Row("Without failures, the table equals the share; a repeat changes nothing", "{}.exact {}.idempotent"),
    Row(
        "A removed queue is marked as dropped",
        _each("{}.marked", "{}.marked.clustering", v4_9="{}.marked.as-shipped"),
        why={NODE.name: "a failed commit throws"},
    ),
    Row(
        "Each new entry of a push consumer gets a pull request",
        _each("{}.pulls.push-as-shipped", "{}.pulls", v4_9="{}.pulls.push"),
    ),
    Row(
        "A group's offset is handed over before the queue's entry goes",
        _each("{}.persisted.clustering-as-shipped", "{}.persisted.clustering"),
    ),
    Row(
        "… if that never fails",
        _each("{}.persisted.clustering-as-shipped.when-persist-works", "{}.persisted.clustering.when-persist-works"),
    ),
    Row(
        "A broadcasting consumer's offset is written before, if writing never fails",
        _each(
            "{}.persisted.broadcasting-as-shipped.when-persist-works", "{}.persisted.broadcasting.when-persist-works"
        ),
    ),
    Row("A queue that is assigned again gets a live entry", _each("{}.returns.push-orderly-as-shipped", "{}.returns")),
    Row(
        "… at the latest when its pull has expired",
        _each("{}.heals.push", "{}.heals"),
        only=("push only", "{}.heals.pull-and-lite-pull"),
    ),
    Row(
        "An ordered queue's offset is kept until its entry goes",
        _each("{}.offset-kept.push-orderly", v5_2="{}.offset-kept"),
        absent=NO_ORDER,
    ),
    Row(
        "Its broker lock is released with the entry, if the unlock arrives",
        _each("{}.unlocked.push-orderly.when-unlocks-arrive"),
        why={V4_9.name: "up to 20 s later", V5_0.name: "up to 20 s later"},
        absent=NO_LOCKS,
    ),
    Row(
        "No rebalance releases the lock under a running listener",
        _each("{}.listener.push-orderly"),
        why={V5_2.name: "after 20 s without renewal"},
        absent=NO_LOCKS,
    ),
    Row(
        "No delayed unlock hits the queue's next entry",
        _each("{}.late-unlock.push-orderly-as-shipped"),
        absent=NO_LOCKS,
    ),
    Row(
        "No lock is left behind when the offset query fails",
        _each("{}.no-stray-lock.push-orderly.when-unlocks-arrive"),
        absent=NO_LOCKS,
    ),
    Row(
        "Ordered broadcasting takes no lock of the group",
        _each(
            "{}.no-group-lock.push-orderly-broadcasting",
            v5_2="{}.no-group-lock.push-orderly-broadcasting-up-to-5-3-1",
        ),
        why={V5_2.name: "only from 5.3.2 on"},
        absent=NO_LOCKS,
    ),
    Row("Unsubscribing saves the offset", "{}.unsubscribed-offset"),
)
OWN_STORE = (
    Row("A removed queue is marked as dropped", _each("{}.marked", v4_9="{}.marked.own-store")),
    Row(
        "Each new entry of a push consumer gets a pull request",
        _each("{}.pulls.push-own-store", v4_9="{}.pulls.push"),
    ),
    Row("A queue that is assigned again gets a live entry", "{}.returns.own-store"),
)


def _after_table() -> Iterator[str]:
    yield "[The ledger](ledger/transition.md) also covers 4.9.0 to 4.9.7, and says what can throw or fail."


TABLE = Section(
    "A client's table of queues",
    "What rebalances do to a client's table of queues.",
    (
        "The client uses its default offset store, except in the second table.",
        "Brokers, network and clock may do anything.",
        "Handed over to the network: from 5.3.0 on, a one-way commit is sent once the connection is made, perhaps "
        "after the entry has gone. (After a stop of 130 s, 5.3.3 sent it 86 ms later.)",
    ),
    (
        Table("transition", CLIENTS, SHIPPED),
        Table("transition", JAVA, OWN_STORE, "With a user-defined offset store, which may throw:"),
    ),
    about=lambda claim: claim.kind == "transition" and {*claim.subjects} <= {*CLIENTS},
    more=_after_table,
)

EXCLUSIVE = (
    Row("No two ordered listeners run on one queue at once", "exclusive"),
    Row("… even if the limits violate the condition above", "exclusive.without-time"),
    Row("… even if a lock request overtakes the consumer's earlier unlock", "exclusive.without-overtaken"),
    Row("… even if the queue returns before its delayed unlock", "exclusive.without-return"),
    Row("… even if a consumer shuts down without waiting for its listener", "exclusive.without-shutdown"),
    Row("… even if the topic is resubscribed while the listener runs", "exclusive.without-unsubscribed"),
    Row("… even if the broker restarts or is replaced", "exclusive.without-restart"),
    Row("… even if two consumers have the same client id", "exclusive.without-twin"),
    Row("One consumer never runs two listener calls of a queue at once", "local"),
    Row("After shutdown with prompt answers, the broker has released its locks", "given-back"),
    Row("… even if a delayed unlock is pending", "given-back.without-pending"),
)


def _after_ordered() -> Iterator[str]:
    yield "Defaults, with answers within a second. The pause after a crash is explored in steps of ten seconds, not"
    yield "proved:"
    yield ""
    rows = []
    for client in ordered.CLIENTS:
        safe, pause = longest_listener(client, DEFAULTS), longest(client, Way.CRASHED)
        rows.append((client.rocketmq_name, "none" if safe is None else seconds(safe), seconds(pause.ticks * TICK)))
    yield table(("", "longest safe listener", "longest pause"), rows)
    yield ""
    yield f"{CALM} Renewals in time do not make 5.2 safe by default: marked entries are not renewed."
    yield ""
    yield "`rebalance safe --client 5.2 --listener 5s` prints the failing trace and each repair, and `--pauses`"
    yield "other pauses ([findings](findings.md#two-listeners-on-one-ordered-queue)). In a mixed group, each"
    yield "client's own limits must hold (`ordered.*.mixed`); Node takes no locks."


ORDERED = Section(
    "Ordered consumption",
    "Whether ordered listeners of two consumers can overlap on one queue.",
    (
        "Answer delay + client's lock limit + listener's time ≤ broker's lock limit.",
        "From 5.2 on also: client's lock limit + listener's time ≤ unlock delay.",
        "Nothing happens that a later row names.",
    ),
    (Table("ordered", ordered.CLIENTS, EXCLUSIVE),),
    about=lambda claim: claim.kind == "ordered",
    more=_after_ordered,
)

PULL_ROWS = (
    Row("A live entry has a pull request in circulation", "has-request"),
    Row("… even if an RPC hook throws an `Exception`", "has-request.without-hook"),
    Row("… even if an `Error` is thrown while an answer is processed", "has-request.without-callback"),
    Row("An entry never has two pull requests in circulation", "one-request"),
    Row("… even if a pull times out before it is sent", "one-request.without-connection"),
    Row("A lost request is replaced by a rebalance after 120 s", "healed"),
    Row("… even after an `Error` when the request was taken", "healed.without-error"),
    Row("No pull begins for an entry that has left the table", "dies"),
    Row("… even if an ordered entry leaves during its first offset query", "dies.without-query"),
    Row("A suspended consumer takes no request to begin a pull", "rests"),
    Row("A due rebalance at least marks entries of other consumers' queues", "lets-go"),
    Row("… even if the consumer is suspended", "lets-go.without-running"),
    Row("An illegal offset is repaired only while its entry exists", "repairs-while-held"),
)
PULLS = Section(
    "Pull requests",
    "The pull request that circulates for each queue of a push consumer.",
    (
        "The consumer is not shut down, and no broker asks it to leave.",
        "Nothing is thrown, interrupted or late, except as a row says.",
        "Replacement: the first rebalance that checks the entry over 120 s after its request was taken marks it. It "
        "returns with a new request once its offset is known and its lock granted.",
        "Suspension: an ordered queue's first pull is still sent if its offset query had begun.",
        "Repair: pulls are sent and answered while the entry exists, and the repair precedes the next rebalance.",
    ),
    (Table("pulls", pulls.CLIENTS, PULL_ROWS),),
    about=lambda claim: claim.kind == "pulls",
)
