"""Findings and their causes in words, for every form of the answer: text, JSON, page and the short form of ``why``."""

from collections.abc import Sequence
from typing import NamedTuple

from rebalance_proofs.recorded.audit.finding import Finding
from rebalance_proofs.recorded.audit.group import translated
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.audit.answer import behind
from rebalance_proofs.report.audit.words import between, queues
from rebalance_proofs.report.symptoms.answer import Found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.words import helps


class Worded(NamedTuple):
    """A finding in words."""

    where: str
    """Its queues, or its topic; may be empty."""
    when: str
    members: str
    """Its members, separated by commas; may be empty."""
    detail: str


def worded(one: Finding, zone: int) -> Worded:
    """Return the finding in words, with times in this zone (in ms ahead of UTC)."""
    return Worded(
        queues(one.intervals) or printable(one.topic),
        between(one, zone),
        ", ".join(map(printable, one.members)),
        printable(translated(one.detail)),
    )


class Cause(NamedTuple):
    """A cause in words."""

    name: str
    sentence: str
    claims: Sequence[str]
    """Claims that show it."""
    helps: Sequence[str]
    """Fixes for the client of the question."""
    remark: str
    """What speaks against it for that client; may be empty."""


def cause(found: Found, question: Asked) -> Cause:
    """Return the cause in words."""
    remark = found.known.words if question.release and not found.possible else ""
    return Cause(found.cause.name, str(found.cause.sentence), found.shown, [*helps(found.helps, question)], remark)


def causes(one: Finding, question: Asked) -> list[Cause]:
    """Return the likely causes of a finding in words."""
    return [cause(found, question) for found in behind(one, question)]
