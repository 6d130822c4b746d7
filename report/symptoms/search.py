"""Find the known RocketMQ log lines that match a user's text, and the causes that these lines indicate."""

import re
from dataclasses import replace
from math import log2

from rebalance_proofs.model.receiving.releases import ANY, is_sdk
from rebalance_proofs.recorded.knowledge.similar import Similar
from rebalance_proofs.recorded.logs import lines
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Cause, Symptom
from rebalance_proofs.report.symptoms.understood import Hint

# Causes that known questions in similar words have, as hints for the ranking.

BITS = 3.5
"""Bits that a cause gains if known questions make it twice as likely as the average cause."""
FULL = 120.0
"""Information of a text, in nats, from which the hints count in full.

The rules of words are better at short sentences, and known questions at long texts with many words beside the point.
"""
SHORT = 10.0
"""Least information in the known words of a text without a symptom that is answered: "hello world" has 8."""
CLEAR = 0.05
"""Least probability of the best cause of such a text."""
HINTS = 8
"""Most causes that gain."""
LIKELY = 0.1
"""Least probability of a cause that is listed although it has none of the symptoms that were understood."""
KNOWN = 0.6
"""Least share of known words in a text without a symptom that is answered."""
DOUBT = 0.25
"""A text without a symptom is answered if its probability to have no cause is less."""
OTHER = 0.5
"""A text with a symptom is about another subject if its probability to have no cause is more."""
FOREIGN = 0.3
"""The same for a text that names another product, or of which no cause is likely."""
MUCH = 10.0
"""No cause is likely if to have none is this many times as likely as the best one."""

PRODUCT = re.compile(r"(?i)kafka|rabbit ?mq|pulsar|active ?mq|\bnats\b|redis|\bsqs\b|celery|zookeeper|emqx|mqtt")
"""Another product."""


def hinted(learned: Similar) -> tuple[Hint, ...]:
    """Return the hints of the known questions."""
    best = [*learned.causes.items()][:HINTS]
    bits = BITS * min(1.0, learned.weight / FULL)
    average = 1 / (len(learned.causes) + 1)
    return tuple(Hint(name, False, bits * log2(share / average)) for name, share in best if share > average)


def likely(learned: Similar) -> tuple[str, ...]:
    """Return the causes that are listed beside those of the symptoms that were understood."""
    return tuple(name for name, share in [*learned.causes.items()][:3] if share >= LIKELY)


def named(learned: Similar) -> tuple[str, ...]:
    """Return the causes of a text without a symptom, the best first; none if known questions do not tell."""
    clear = max(learned.causes.values(), default=0.0) >= CLEAR and learned.none < DOUBT
    told = learned.known >= KNOWN and learned.known * learned.weight >= SHORT
    return tuple(learned.causes)[:HINTS] if clear and told else ()


def elsewhere(about: str, learned: Similar, *, event: bool) -> bool:
    """Return whether a text with a symptom is about another subject: "Kafka rebalances all the time".

    ``event``: the text has an event before the symptom, which a question about another subject seldom has.
    """
    product = bool(PRODUCT.search(about))
    if event and not product:
        return False
    vague = learned.none > MUCH * max(learned.causes.values(), default=0.0)
    return learned.none > (FOREIGN if product or vague else OTHER)


LEVEL = r"(?:\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL)\b|[\[(](?:info|warn(?:ing)?|error|debug|fatal)[\])])"
BETWEEN = r"(?:(?! [a-z]+ [a-z]+ [a-z]+\b).){0,160}?"
"""What is between the date and the level of a log line: threads and classes, but no words of a sentence."""
LOGGED = re.compile(
    rf"\d:\d\d:\d\d{BETWEEN}{LEVEL}|{LEVEL}{BETWEEN}\d:\d\d:\d\d|\blevel\W{{1,4}}(?:info|warn|error|debug|fatal)"
    r"|^(?:INFO|WARN|ERRO|DEBU|FATA)\[\d{4,}\]|^(?:INFO|WARN|ERROR) +[\w:.]+(?:: | - )"
    r"|^\[BUG\]|^\s*at [\w.$<>/]+\([^)]*\)|^Caused by: |^Traceback \(most recent call last\)"
    r"|\bMessageExt \[|\btrackType\W",
    re.M,
)
"""Forms of log lines and stack traces."""

LINES: dict[str, Line] = {name: one for name, one in lines.NAMED.items() if not one.parsed_only}
"""Known log lines of clients and brokers that indicate causes, by short name."""
WITHOUT_CAUSE: dict[str, Line] = {name: one for name, one in lines.NAMED.items() if one.parsed_only}
"""Known log lines that indicate no cause. They are searched only if no other line matches."""
ANSWERED = {
    "the consumer's subscription not latest": lines.NOT_LATEST,
    "the consumer's subscription not exist": lines.NOT_SUBSCRIBED,
    "the consumer's group info not exist": lines.NO_GROUP,
}
"""The log lines of a refused pull.

Clients log the broker's response in an exception, and the broker logs its own line. Read in ``PullMessageProcessor`` of
4.9.8, 5.1.4 and 5.3.3.
"""


def is_logged(text: str) -> bool:
    """Return True if the text has a log line's date and level, or a stack trace, so that it is no description."""
    return bool(LOGGED.search(text))


def without_cause(text: str) -> list[Line]:
    """Return the lines without a cause in a text that is longer than a few words."""
    if " ".join(text.split()).count(" ") < lines.FEWEST_WORDS - 1:
        return []
    return lines.among(text, WITHOUT_CAUSE.values()) or lines.begun(text, lines.NAMED.values())


def quotes(text: str) -> bool:
    """Return whether the text is a part of a known log line, or contains one."""
    plain = " ".join(text.casefold().split())
    return any(remark in plain for remark in ANSWERED) or bool(lines.among(text, LINES.values()))


def pointed_to(text: str, question: Asked, lasted: int | None) -> list[tuple[Line, tuple[Found, ...]]]:
    """Return the log lines that match the text, each with its possible causes."""
    plain = " ".join(text.casefold().split())
    answered = [line for remark, line in ANSWERED.items() if remark in plain]
    matched = dict.fromkeys((*lines.among(text, LINES.values()), *answered))
    if not matched:
        matched = dict.fromkeys(without_cause(text))
    if not matched:
        return []
    matched = _once(matched, question.release)
    # Imported here because the readers of tables take long to load.
    from rebalance_proofs.report.symptoms.fits import once

    every = [one for symptom in Symptom for one in found(symptom, question, lasted) if one.possible]
    if not is_sdk(question.release) and any(line.of_sdks for line in matched):
        of_sdks = replace(question, release=ANY)
        every += [one for symptom in Symptom for one in found(symptom, of_sdks, lasted) if one.possible]
    return [(line, once([one for one in every if indicates(line, one.cause)])) for line in matched]


def is_line(text: str) -> bool:
    """Return True if the text begins with a known log line, whose words are not those of a question."""
    return lines.leads(text, lines.NAMED.values())


def _once(matched: dict[Line, None], release: str) -> dict[Line, None]:
    """Return the lines without those of two clients that mean the same; the line of the user's client stays."""
    left = dict(matched)
    for line in matched:
        alike = lines.NAMED.get(line.like)
        if alike in left:
            left.pop(alike if any(one.written_by(release) for one in line.wordings) else line)
    return left


def indicates(line: Line, cause: Cause) -> bool:
    """Return whether the line indicates the cause, itself or through the line of another client like it."""
    return line in cause.lines or lines.NAMED.get(line.like) in cause.lines
