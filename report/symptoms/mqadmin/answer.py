"""What pasted tables show, the at most three causes that explain it, and what the tables do not show."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rebalance_proofs.language import language
from rebalance_proofs.recorded.knowledge.pasted_texts import note, word
from rebalance_proofs.recorded.text import printable
from rebalance_proofs.report.english import shorten
from rebalance_proofs.report.symptoms.answer import Found, causes_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.mqadmin.lag import Lag, lag
from rebalance_proofs.report.symptoms.mqadmin.members import Member
from rebalance_proofs.report.symptoms.mqadmin.membership import lists, reports
from rebalance_proofs.report.symptoms.mqadmin.progress import NOBODY, Progress
from rebalance_proofs.report.symptoms.mqadmin.read import Printed
from rebalance_proofs.report.symptoms.mqadmin.shown import Shown, clauses, joined, sentence, shown

MOST = 3
"""Most causes in an answer."""


@dataclass(frozen=True)
class Explained:
    """A cause, and the observations that it explains."""

    found: Found
    by: tuple[Shown, ...]


@dataclass(frozen=True)
class Observed:
    """The answer about pasted tables."""

    read: str
    """A sentence that says what was read, and one about ignored lines if there are any."""
    shown: tuple[Shown, ...]
    """Observations, the one with the strongest evidence first."""
    causes: tuple[Explained, ...]
    notes: tuple[str, ...]
    """Remarks about the rows, and what was checked if nothing was found."""
    asks: tuple[str, ...]
    """What the tables do not show, with the command that shows it."""


def blank() -> str:
    """Return what separates sentences in the language in use."""
    return "" if language() == "zh" else " "


def observed(printed: Printed, question: Asked, symptom: Symptom | None = None, most: int = MOST) -> Observed:
    """Return what the tables show. ``symptom`` restricts the causes, ``most`` their number."""
    parts = [lag(tables) for tables in _groups(printed.tables)]
    if printed.lists:
        parts.append(lists(printed.lists, with_reports=bool(printed.members or printed.tables)))
    if printed.members:
        parts.append(reports(printed.members))
    found = Lag()
    for part in parts:
        for name in vars(found):
            getattr(found, name).extend(getattr(part, name))
    found.shown += _below_minimum(printed)
    if any(one.kind.name.startswith("unowned") for one in found.shown):
        found.shown += _silent(printed)
    if printed.topics and not printed.tables:
        found.asks.append(note("topic-only"))
    found.shown.sort(key=lambda one: ORDER[one.kind.name] if one.kind.name in ORDER else len(ORDER))
    if not found.shown:
        kind = "checked" if found.notes else "checked-all"
        found.notes.append(note(kind, checks=joined(found.checks)) if found.checks else note("nothing-to-check"))
    causes = tuple(_causes(found.shown, question, symptom))[:most]
    asks = list(dict.fromkeys(found.asks))
    return Observed(
        blank().join(_read(printed)),
        tuple(found.shown),
        causes,
        tuple(dict.fromkeys(map(sentence, found.notes))),
        tuple(asks),
    )


FIRST = (
    "same-id", "same-id-same-host", "went-back", "below-minimum", "blocked", "committed-stands", "stands-pulled",
    "not-locked",
    "unlock-failed", "dropped", "client-not-pulling", "client-stands", "broker-stands", "stands-not-pulled",
    "stands", "stands-unknown", "all-stand-pulled", "all-stand-not-pulled", "all-stand", "all-stand-unknown",
    "shared", "other-subscriptions", "tags", "member-silent", "unowned-broker", "unowned-topic", "unowned",
    "ahead", "strategies", "languages", "went-back-little", "no-subscription", "not-pulled", "lag-grows",
    "client-slow", "queue-busy", "all-slow", "all-slow-moving", "retries-wait", "idle", "uneven", "uneven-total",
    "uneven-addresses",
)  # fmt: skip
"""Kinds of observations, those that tell most about their cause first."""
ORDER = {name: place for place, name in enumerate(FIRST)}


def _groups(tables: Sequence[Progress]) -> Iterator[list[Progress]]:
    """Yield the successive tables of each group; a table whose group is not named belongs to the one before."""
    held: dict[str, list[Progress]] = {}
    for one in tables:
        own = next((name for name in held if name == one.group or not (name and one.group)), one.group)
        held.setdefault(own, []).append(one)
    yield from held.values()


def _below_minimum(printed: Printed) -> Iterator[Shown]:
    """Yield queues whose offset is below the minimum that topicStatus shows, if the group has one topic."""
    least = {(one.broker, one.queue): one.least for rows in printed.topics for one in rows}
    own = [row for table in printed.tables[-1:] for row in table.rows if not row.retries]
    if not least or len({row.queue[0] for row in own}) != 1:
        return
    below = [(least[row.queue[1:]] - row.consumer_offset, row.queue) for row in own if row.queue[1:] in least]
    lost = [(by, queue) for by, queue in below if by > 0]
    if lost:
        yield shown("below-minimum", [queue for _, queue in lost], by=f"{max(by for by, _ in lost):,}")


def _silent(printed: Printed) -> Iterator[Shown]:
    """Yield the listed members that have no queue in the last table."""
    clients = {row.client for table in printed.tables[-1:] for row in table.rows}
    listed = dict.fromkeys(client for one in printed.lists for client, _ in one.members)
    silent = [one for one in listed if one not in clients and one.partition("@")[0] not in clients]
    if silent:
        yield shown("member-silent", (), client=joined(silent))


def _causes(every: Iterable[Shown], question: Asked, symptom: Symptom | None) -> Iterator[Explained]:
    """Yield the possible causes of the observations: the first of each one, then the second of each, and so on."""
    known = {cause.name: cause for cause in CAUSES}
    by_cause: dict[str, list[Shown]] = {}
    found = [one for one in every if one.kind.causes]
    for place in range(max((len(one.kind.causes) for one in found), default=0)):
        for one in found:
            if place < len(one.kind.causes):
                by_cause.setdefault(one.kind.causes[place], [])
    for name, shows in by_cause.items():
        shows += [one for one in found if name in one.kind.causes]
        possible = [
            one
            for one in (causes_of([known[name]], question) if name in known else ())
            if one.possible and symptom in (None, one.effect.symptom)
        ]
        if possible:
            yield Explained(possible[0], tuple(shows))


def _read(printed: Printed) -> Iterator[str]:
    parts = []
    for table in printed.tables:
        rows = [row for row in table.rows if not row.retries] or table.rows
        topics = sorted({row.queue[0] for row in rows})
        clients = {row.client for row in table.rows if row.client not in (None, NOBODY)}
        parts.append(
            note(
                "a-progress",
                source=word("dashboard") if table.ids else "consumerProgress",
                group=table.group or word("unknown-group"),
                queues=word("many-queues" if len(rows) > 1 else "a-queue", many=len(rows)),
                topics=joined(topics[:3]) + (f" +{len(topics) - 3}" if len(topics) > 3 else ""),
                clients=word("clients" if len(clients) > 1 else "client", many=len(clients))
                if clients
                else word("clients-unknown"),
            )
        )
    for one in printed.lists:
        source = "consumerConnection" if one.connections or one.subscriptions else "consumerStatus"
        kind = {0: "a-list-of-none", 1: "a-list-of-one"}.get(len(one.members), "a-list")
        parts.append(note(kind, source=source, group=one.group or word("unknown-group"), members=len(one.members)))
    if len(printed.members) > 1:
        group = next((one.group for one in printed.members if one.group), "?")
        parts.append(note("some-members", many=len(printed.members), group=group))
    parts += [_a_member(one) for one in printed.members if len(printed.members) == 1]
    parts += [note("a-topic", queues=len(rows)) for rows in printed.topics]
    if parts:
        yield printable(note("read", parts=clauses(*parts)))
    if printed.ignored:
        example = shorten(printable(" ".join(printed.ignored[0].split())), 40)
        many = len(printed.ignored)
        yield note("ignored" if many > 1 else "ignored-one", many=many, example=example)


def _a_member(member: Member) -> str:
    model = "" if member.broadcasting and member.mode else member.properties.get("messageModel", "")
    return note(
        "a-member",
        client=member.client_id or "?",
        group=member.group or "?",
        version=member.version or "?",
        strategy=member.strategy or "?",
        model=" ".join(filter(None, (member.mode, model, member.properties.get("consumeFromWhere")))),
    )
