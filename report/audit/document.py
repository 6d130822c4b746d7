"""JSON of an audit, as described by audit.schema.json."""

from collections.abc import Sequence
from typing import Any

from rebalance_proofs.documents import Audit, AuditedGroup, LoggedQueue, Ownership, Place
from rebalance_proofs.documents import Finding as FindingJson
from rebalance_proofs.language import english
from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.outcome import Coverage, GroupTold
from rebalance_proofs.recorded.audit.told import Span, Where
from rebalance_proofs.recorded.logs.fact import Queue
from rebalance_proofs.recorded.logs.lines import NAMED
from rebalance_proofs.report.audit.answer import Answer, behind_line
from rebalance_proofs.report.audit.known import Known, known, unmodelled
from rebalance_proofs.report.audit.worded import causes
from rebalance_proofs.report.audit.words import system_words

FORMAT = 1


@english()
def document(answer: Answer) -> Audit:
    """Return the audit's JSON.

    Times are ms since 1970 in UTC, if the logs' zones are known.
    """
    return {
        "format": FORMAT,
        "status": answer.status,
        "evidence": answer.evidence,
        "never": {str(what): allowed for what, allowed in answer.never.items()},
        "digest": answer.digest,
        "spark": answer.spark,
        "zone_ms": answer.audited.zone,
        "client": answer.question.release,
        "remark": answer.question.remark or None,
        "files": [
            {
                "name": file.name,
                "lines": file.tally.lines,
                "dated": file.tally.dated,
                "told": file.tally.told,
                "named": dict(sorted(file.tally.named.items())),
                "cut": file.tally.cut,
                "example": file.tally.example,
                "clock_steps_back": file.tally.back,
                "no_year": file.tally.no_year,
                "no_date": file.tally.no_date,
                "day_or_month_first": bool(file.tally.either),
                "zone_known": file.zone_known,
                "truncated": file.tally.truncated,
                "damage": file.damage,
            }
            for file in answer.audited.files
        ],
        "nameless_lines": answer.audited.nameless,
        "left": [{"name": one.name, "why": one.why} for one in answer.left],
        "groups": [_group(answer, group) for group in answer.audited.groups],
        "known_lines": [_known(answer, one) for one in known(answer)],
        "not_modelled": [{"subject": subject.anchor, "lines": many} for subject, many in unmodelled(answer)],
        "named_groups": [
            {"group": one.group, "lines": one.many, "evidence": _where([(one.file, one.line)])}
            for one in answer.mentions
        ],
        "mqadmin": [
            {
                "name": ", ".join(one.names),
                "group": one.group,
                "signs": [{"sign": seen.sign.name.lower(), "words": seen.words} for seen in one.signs],
            }
            for one in answer.printed
        ],
    }


def _group(answer: Answer, group: GroupTold) -> AuditedGroup:
    return {
        "group": group.name,
        "system": bool(system_words(group.name)),
        "members_seen": group.seen_members,
        "coverage": [_coverage(one) for one in group.coverage],
        "mirrored": [{"log": log, "as": twin} for log, twin in group.mirrored],
        "owners": [_span(group, span) for span in group.spans],
        "findings": [_finding(answer, one) for one in group.findings],
        "departures": [
            {"client": one.client, "at": one.at, "how": one.how, "evidence": _where((one.where,))}
            for one in group.leavings
        ],
    }


def _known(answer: Answer, one: Known) -> dict[str, Any]:
    line, sight = NAMED[one.name], one.sight
    numbers = dict.fromkeys((sight.line, sight.last_line))
    return {
        "name": one.name,
        "title": line.title.en,
        "more": line.more.en if line.more else None,
        "lines": sight.many,
        "from": sight.first,
        "to": sight.last,
        "names": [{"what": word, "name": name} for word, name in sight.names],
        "evidence": _where([(one.file, number) for number in numbers]),
        "causes": [found.cause.name for found in behind_line(one.name, answer.question)],
    }


def _coverage(one: Coverage) -> dict[str, Any]:
    return {
        "log": one.log,
        "clients": [client for client, _ in one.members],
        "first": one.first,
        "last": one.last,
        "silences": [{"from": at, "to": until} for at, until in one.silences],
        "version": one.version,
        "commits": one.commits,
        "zone_known": one.zone_known,
        "clock_within_ms": one.apart,
        "other_zone_ms": one.other_zone,
        "unnamed_lines": one.unnamed,
        "undated_lines": one.undated,
        "model": one.held and {"lines": one.held.lines, "widened": dict(one.held.widened), "why": one.held.why},
    }


def _queue(queue: Queue) -> LoggedQueue:
    return {"topic": queue[0], "broker": queue[1], "id": queue[2]}


def _where(evidence: Sequence[Where]) -> list[Place]:
    return [{"file": file, "line": line} for file, line in evidence if file]


def _span(group: GroupTold, span: Span) -> Ownership:
    return {
        "client": span.member[0],
        "log": span.member[1],
        "queue": _queue(span.queue),
        "from": span.begin,
        "to": span.end,
        "from_logged": span.begins,
        "to_logged": span.ends,
        "evidence": _where((span.first, span.last)),
    }


def _finding(answer: Answer, one: Finding) -> FindingJson:
    return {
        "what": str(one.what),
        "level": str(one.level),
        "topic": one.topic,
        "members": list(one.members),
        "from": one.at,
        "to": one.until,
        "queues": [
            {"queue": _queue(each.queue), "from": each.at, "to": each.until} for each in one.intervals if each.queue
        ],
        "detail": one.detail,
        "numbers": one.numbers,
        "evidence": _where(one.evidence),
        "causes": [
            {"name": each.name, "claims": list(each.claims), "helps": list(each.helps)}
            for each in causes(one, answer.question)
        ],
    }
