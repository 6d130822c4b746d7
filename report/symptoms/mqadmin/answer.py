"""What pasted tables show, the at most three causes that explain it, and what the tables do not show."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from rebalance_proofs.language import language
from rebalance_proofs.recorded.knowledge.pasted_texts import note, word
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.symptoms.answer import Found, causes_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES
from rebalance_proofs.report.symptoms.mqadmin.lag import Lag, apart, lag, latest, standing, taken
from rebalance_proofs.report.symptoms.mqadmin.members import DETAIL, SUBSCRIPTION, Entry, Member, Status
from rebalance_proofs.report.symptoms.mqadmin.progress import (
    LATE,
    NOBODY,
    RETRY,
    Progress,
    Queue,
    Shown,
    clauses,
    joined,
    long,
    sentence,
    shown,
)
from rebalance_proofs.report.symptoms.mqadmin.read import Printed
from rebalance_proofs.report.text.english import shorten

# Find what lists of members and members' reports about themselves show.

BLOCKED = timedelta(minutes=1)
"""The limit in ConsumerRunningInfo.analyzeProcessQueue from which a process queue counts as blocked."""


def lists(every: Sequence[Status], *, with_reports: bool) -> Lag:
    """Return what mqadmin's lists of members show. ``with_reports``: the members' own reports were given, too."""
    found = Lag()
    for one in every:
        found.shown += _ids(one)
        found.shown += _said(one)
        found.shown += _mixed(found, one)
    group = next((one.group for one in every if one.group), "GROUP")
    members = [one for one in every if one.members]
    if members and not any(shown.kind.name.startswith("same-id") for shown in found.shown):
        found.checks.append(word("check-ids"))
    compared = [line for one in every for line in one.said if line.startswith("Same subscription")]
    if compared:
        found.checks.append(word("check-same"))
    properties = {name: value for one in every for name, value in one.properties.items()}
    if properties:
        found.notes.append(note("model", properties=", ".join(f"{name} {value}" for name, value in properties.items())))
    if members and not compared and not any(one.different or one.subscriptions for one in every):
        found.asks.append(note("no-subscriptions", group=group))
    if not with_reports:
        found.asks.append(note("no-queues", group=group))
    if members:
        found.asks.append(note("one-broker"))
    return found


def _ids(one: Status) -> Iterator[Shown]:
    ids = Counter(client for client, _ in one.members)
    for client, many in ids.items():
        if many < 2:
            continue
        places = [each.address for each in one.connections if each.client_id == client]
        hosts = {place.rpartition(":")[0] for place in places}
        kind = "same-id-same-host" if len(hosts) == 1 else "same-id"
        yield shown(kind, (), client=client, many=many, places=joined(places) or word("connections", many=many))


def _said(one: Status) -> Iterator[Shown]:
    if one.different:
        yield shown(
            "other-subscriptions", (), places=_quoted("WARN: Different subscription in the same group of consumer!!!")
        )
    clients = {line.partition(" MessageQueue")[0] for line in one.said if " MessageQueue [" in line}
    who = word("of-member", client=joined(sorted(clients))) if clients else ""
    for kind, queues in (
        ("blocked", one.blocked),
        ("not-locked", one.not_locked),
        ("unlock-failed", one.unlock_failed),
    ):
        if queues:
            most = max((one.waits.get(queue, 0) for queue in queues), default=0)
            yield shown(kind, queues, long=long(timedelta(milliseconds=most)) if most else word("a-while"), who=who)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _mixed(found: Lag, one: Status) -> Iterator[Shown]:
    languages = Counter(each.language for each in one.connections if each.language)
    if len(languages) > 1:
        yield shown("languages", (), places=joined(f"{name} ({many})" for name, many in sorted(languages.items())))
    versions = sorted({version for _, version in one.members if version})
    if len(versions) > 1 and len(languages) < 2:
        found.notes.append(note("versions-only", places=joined(versions)))


def reports(every: Sequence[Member]) -> Lag:
    """Return what members' reports show, each for itself and compared with the others."""
    found = Lag()
    members, successive = latest(every)
    for own in successive:
        if still := standing(own):
            who = word("of-member", client=own[-1].client_id)
            found.shown.append(shown("committed-stands", still, who=who, long=long(apart(own))))
    ids = Counter(one.client_id for one in members if one.client_id)
    names = [_name(place, one, ids) for place, one in enumerate(members, 1)]
    for client, many in ids.items():
        if many > 1:
            found.shown.append(shown("same-id", (), client=client, many=many, places=word("reports", many=many)))
    for name, one in zip(names, members, strict=True):
        found.shown += _one(name, one)
    _asks(found, members)
    whole = [one for one in members if DETAIL in one.parts]
    if whole and not found.shown:
        found.checks.append(word("check-entries"))
    if len(members) > 1:
        _compared(found, names, members)
    return found


def _asks(found: Lag, members: Sequence[Member]) -> None:
    group = next((one.group for one in members if one.group), "GROUP")
    for one in members:
        lacks = [part for part in (SUBSCRIPTION, DETAIL) if part not in one.parts]
        if lacks:
            found.asks.append(
                note("part-of-member", parts=joined(lacks), group=group, client=one.client_id or "CLIENT_ID")
            )
    if len(members) == 1:
        found.asks.append(note("one-member", group=group))


def _compared(found: Lag, names: Sequence[str], members: Sequence[Member]) -> None:
    told = [(name, _own(one)) for name, one in zip(names, members, strict=True) if SUBSCRIPTION in one.parts]
    if len({own for _, own in told}) > 1:
        topics = {tuple(topic for topic, _ in own) for _, own in told}
        places = clauses(
            *(f"{name}: {', '.join(f'{topic} ({tags})' for topic, tags in own) or '-'}" for name, own in told)
        )
        found.shown.append(shown("tags" if len(topics) == 1 else "other-subscriptions", (), places=places))
    elif told:
        found.checks.append(word("check-same"))
    strategies = sorted({one.strategy for one in members if one.strategy})
    if len(strategies) > 1:
        found.shown.append(shown("strategies", (), places=joined(strategies)))
    elif strategies:
        found.checks.append(word("check-strategies"))
    versions = sorted({one.version for one in members if one.version})
    if len(versions) > 1:
        found.notes.append(note("versions-only", places=joined(versions)))
    if not any(one.broadcasting for one in members):
        found.shown += _shares(names, members)


def _own(one: Member) -> tuple[tuple[str, str], ...]:
    """Return the member's subscriptions without its retry topic, which the client adds by itself."""
    return tuple(each for each in one.subscriptions if not each[0].startswith(RETRY))


def _shares(names: Sequence[str], members: Sequence[Member]) -> Iterator[Shown]:
    owners: dict[Queue, list[str]] = {}
    for name, one in zip(names, members, strict=True):
        for entry in one.entries:
            if not entry.dropped:
                owners.setdefault(entry.queue, []).append(name)
    by_owners: dict[tuple[str, ...], list[Queue]] = {}
    for queue, named in owners.items():
        if len(named) > 1:
            by_owners.setdefault(tuple(named), []).append(queue)
    for both, queues in by_owners.items():
        yield shown("shared", queues, places=joined(both))
    held = Counter((name, queue[0]) for queue, named in owners.items() for name in named if RETRY not in queue[0])
    for topic in sorted({topic for _, topic in held}):
        # Members without a queue count here, because they are known to exist.
        numbers = {name: held[name, topic] for name in names}
        most, least = max(numbers, key=lambda one: numbers[one]), min(numbers, key=lambda one: numbers[one])
        if numbers[most] - numbers[least] > 1 and numbers[least]:
            yield shown("uneven", (), topic=topic, most=most, many=numbers[most], least=least, few=numbers[least])


def _name(place: int, one: Member, ids: Counter[str]) -> str:
    return one.client_id if ids.get(one.client_id) == 1 else f"member {place} {one.client_id}".rstrip()


def _one(name: str, one: Member) -> Iterator[Shown]:
    topics = [topic for topic, _ in one.subscriptions if not topic.startswith(RETRY)]
    if SUBSCRIPTION in one.parts and not topics:
        yield shown("no-subscription", (), client=name)
    if DETAIL not in one.parts:
        return
    if topics and not [entry for entry in one.entries if not entry.queue[0].startswith(RETRY)]:
        yield shown("idle", (), client=name)
    latest = taken(one)
    if latest is None:
        return
    live = [entry for entry in one.entries if not entry.dropped]
    who = word("of-member", client=name)

    def found(kind: str, entries: Iterable[Entry], wait: timedelta | None = None) -> Iterator[Shown]:
        chosen = [entry.queue for entry in entries]
        if chosen:
            yield shown(kind, chosen, who=who, long=long(wait) if wait else word("a-while"))

    blocked = [entry for entry in live if entry.cached and entry.consumed and latest - entry.consumed > BLOCKED]
    waits = max((latest - entry.consumed for entry in blocked if entry.consumed), default=None)
    yield from found("blocked", blocked, waits)
    yield from found("unlock-failed", [entry for entry in one.entries if entry.dropped and entry.unlock_tries])
    yield from found("dropped", [entry for entry in one.entries if entry.dropped and not entry.unlock_tries])
    yield from found(
        "not-locked", [entry for entry in live if one.orderly and not one.broadcasting and not entry.locked]
    )
    idle = [entry for entry in live if entry.pulled and latest - entry.pulled > LATE and entry not in blocked]
    yield from found("not-pulled", idle, max((latest - entry.pulled for entry in idle if entry.pulled), default=None))


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
