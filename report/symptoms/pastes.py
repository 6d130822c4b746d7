"""Answer questions about pasted texts and files: tables, logs, exceptions and log lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from rebalance_proofs.documents import Explanation
from rebalance_proofs.language import english, gettext, ngettext
from rebalance_proofs.model.receiving.releases import ANY, is_sdk
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.logs.sights import writer
from rebalance_proofs.recorded.logs.times import stamp
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.given import NotGiven, bytes_of
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.elsewhere import elsewhere
from rebalance_proofs.report.symptoms.fits import question_of
from rebalance_proofs.report.symptoms.mqadmin.answer import MOST as MOST_CAUSES
from rebalance_proofs.report.symptoms.mqadmin.answer import observed
from rebalance_proofs.report.symptoms.mqadmin.columns import decoded
from rebalance_proofs.report.symptoms.mqadmin.members import NotReadable
from rebalance_proofs.report.symptoms.mqadmin.progress import totals
from rebalance_proofs.report.symptoms.mqadmin.read import MOST, Printed, nothing, parsed
from rebalance_proofs.report.symptoms.paste import CODED, LOGGED, SPECIFIC, Statement, causes, statements
from rebalance_proofs.report.symptoms.search import is_logged
from rebalance_proofs.report.symptoms.stated import by_statements, by_tables
from rebalance_proofs.report.symptoms.worded import NOT_UNDERSTOOD, Answer

PASTED = re.compile(r"\w(?:Exception|Error)\b|\bCODE: ?\d|\[[A-Z_]{5,}\]|\d\d:\d\d:\d\d|\w\[[^\]]*\]|\[[A-Z]\w+ \w+=")
"""Parts of log lines and exceptions that descriptions in words do not have."""
HEADING = re.compile(r"^\W*#\w[\w ]*(?:\s{2,}|\t|\|)\W*#\w", re.M)
"""Heading of a table of mqadmin."""
DATED = 3
"""Number of lines with a date from which a text is a log."""
LARGE = 2_000_000
"""Number of characters that are searched for tables; larger texts are logs."""
SEARCHED = 2_000
"""Number of lines that are searched for dates."""


@dataclass(frozen=True)
class Given:
    """A text that the user gives, with its name and bytes."""

    name: str
    content: bytes
    text: str
    printed: Printed

    @property
    def is_log(self) -> bool:
        """True if the text has several lines with a date, and is no table."""
        lines = self.content.splitlines()[:SEARCHED]
        dated = (one for line in lines if (one := stamp(line, 1970)) and one.dated)
        return not self.printed.something and len(list(islice(dated, DATED))) == DATED


def of_files(files: Sequence[Path]) -> list[Given]:
    """Return the content of these files; ``-`` is standard input. Raises ``UsageError``."""
    found = []
    for path in files:
        try:
            content = bytes_of(path, MOST)
            found.append(_given(str(path), content))
        except (NotGiven, NotReadable) as error:
            raise UsageError(f"{str(path)!r}: {error}") from None
    return found


@lru_cache(maxsize=1)
def of_text(text: str) -> tuple[Given, ...]:
    """Return the text of an argument; nothing if it is not readable. The last text is parsed once for all clients."""
    try:
        return (_given("", text.encode("utf-8", "replace")),)
    except NotReadable:
        return ()


def _given(name: str, content: bytes) -> Given:
    text = decoded(content)
    if text is None:
        raise NotReadable(gettext("it is not a text file"))
    return Given(name, content, text, parsed(text[:LARGE]))


def answered(
    given: Sequence[Given],
    question: Asked,
    lasted: int | None,
    symptom: Symptom | None,
    about: str,
    *,
    everything: bool = False,
) -> Answer:
    """Return the answer about tables, logs and pastes. Raises ``UsageError`` if they show nothing that is known."""
    tables = [one for one in given if one.printed.something]
    logs = [one for one in given if one.is_log]
    pastes = [one for one in given if one not in tables and one not in logs]
    if tables:
        return _of_tables(tables, [*logs, *pastes], question, lasted, symptom, about, everything)
    told = [one for each in pastes for one in statements(each.text)]
    if logs:
        # Imported here because an audit is large, and most answers need none.
        from rebalance_proofs.report.symptoms.short_audit import of_logs

        return of_logs(logs, question, lasted, about)
    if not _specific(told) and (other := of_elsewhere([one.text for one in pastes], question, lasted, about)):
        return other
    if told:
        return of_statements(told, question, lasted, about)
    raise UsageError("; ".join(_unknown(one) for one in given))


def _of_tables(
    tables: Sequence[Given],
    others: Sequence[Given],
    question: Asked,
    lasted: int | None,
    symptom: Symptom | None,
    about: str,
    everything: bool,
) -> Answer:
    printed = Printed()
    for one in tables:
        printed.add(one.printed)
    groups = {one.group for one in printed.members if one.group}
    if len(groups) > 1:
        names = ", ".join(sorted(groups))
        raise UsageError(
            gettext("the files contain members of {number} groups ({names}); give files of one group").format(
                number=len(groups), names=names
            )
        )
    known = question_of(printed, question)
    most = 99 if everything else MOST_CAUSES
    source = "" if known == question else gettext(", from the files")

    beside, left = _beside([*map(_without_table, tables), *others], known, lasted, about)

    def lines() -> Iterator[str]:
        yield from by_tables(observed(printed, known, symptom, most), known, source)
        if beside:
            yield ""
            yield from beside.lines
        for one in left:
            if one.name and one in others:
                yield ""
                yield gettext("Not used: {name} has nothing that is known.").format(name=printable(one.name))

    @english()
    def as_json() -> Explanation:
        found = observed(printed, known, symptom, most)
        return document(
            about,
            known,
            lasted,
            causes=[one.found for one in found.causes],
            first=[one.found.cause.name for one in found.causes],
            observed=found,
            untold=(*found.notes, *found.asks),
        )

    return Answer(lines(), as_json)


def _without_table(one: Given) -> Given:
    """Return the lines of a text that belong to none of its tables."""
    text = "\n".join(one.printed.ignored)
    return Given(one.name, text.encode("utf-8", "replace"), text, Printed())


def _beside(
    given: Sequence[Given], question: Asked, lasted: int | None, about: str
) -> tuple[Answer | None, Sequence[Given]]:
    """Return the answer about logs and exceptions beside tables, or None, and the texts that show nothing known."""
    known: list[Given] = []
    left: list[Given] = []
    answer = None
    for one in given:
        try:
            answer = answered([one], question, lasted, None, about)
        except UsageError:
            left.append(one)
        else:
            known.append(one)
    if len(known) > 1:
        answer = answered(known, question, lasted, None, about)
    return answer, left


def of_statements(told: Sequence[Statement], question: Asked, lasted: int | None, about: str) -> Answer:
    """Return the answer about the statements in a paste, the most specific first."""
    question = _of_writer(told, question)
    found = causes(told[0], question)

    def as_json() -> Explanation:
        return document(
            about,
            question,
            lasted,
            causes=found,
            first=[one.cause.name for one in found[:MOST_CAUSES]],
            lines=[(one.line, causes(one, question)) for one in told if one.line],
        )

    return Answer(by_statements(told, question), as_json)


def _of_writer(told: Sequence[Statement], question: Asked) -> Asked:
    """Return the question, about the gRPC client that wrote the known lines if it names no client."""
    found = {writer(one.line.name, one.quoted.encode()) for one in told if one.line}
    if question.release or not found or not all(map(is_sdk, found)):
        return question
    clients = found - {ANY}
    return replace(question, release=clients.pop() if len(clients) == 1 else ANY)


def _specific(told: Sequence[Statement]) -> bool:
    """Return True if a paste has the text of an exception or a log line that is about a consumer group."""
    return any(one.rank in (SPECIFIC, LOGGED) and not one.transport for one in told)


def of_elsewhere(texts: Sequence[str], question: Asked, lasted: int | None, about: str) -> Answer | None:
    """Return the answer about texts that are not about a group of the model; None if they can be about one."""
    found = elsewhere("\n".join(texts))
    if found is None:
        return None
    not_here = found.unmodelled
    with english():
        untold = f"{not_here.what}: {not_here.why}" if not_here else str(found.means)
    return Answer(
        list(found.lines),
        lambda: document(about, question, lasted, untold=[untold]),
        0 if not_here else NOT_UNDERSTOOD,
    )


def of_paste(about: str, question: Asked, lasted: int | None) -> Answer | None:
    """Return the answer about a pasted table, log, exception or stack trace; None for any other text.

    A part of a single log line is left to the search for log lines.
    """
    given = of_text(about)
    if not given:
        return None
    (one,) = given
    if one.printed.something or one.is_log:
        return answered(given, question, lasted, None, about)
    told = statements(about)
    if _pasted(about) and not _specific(told) and (other := of_elsewhere([about], question, lasted, about)):
        return other
    whole = "\n" in about.strip()
    logged = is_logged(about)
    line = bool(told) and told[0].rank <= LOGGED and (whole or told[0].line is None)
    if told and (told[0].rank <= CODED or line or logged):
        return of_statements(told, question, lasted, about)
    return None


def _pasted(about: str) -> bool:
    """Return True if a text has lines, an exception or a code, so that it is no description in words."""
    return "\n" in about.strip() or bool(PASTED.search(about))


def _unknown(one: Given) -> str:
    if one.printed.groups or one.printed.others or totals(one.printed.ignored):
        return f"{one.name!r}: {nothing(one.printed)}"
    many = sum(1 for line in one.text.splitlines() if line.strip())
    return ngettext(
        "{name}: no known content in its {number} line; expected a table of mqadmin or the dashboard, a log "
        "about a consumer group, a response code, or an exception",
        "{name}: no known content in its {number} lines; expected a table of mqadmin or the dashboard, a log "
        "about a consumer group, a response code, or an exception",
        many,
    ).format(name=repr(one.name), number=f"{many:,}")


def of_unknown(about: str, question: Asked, lasted: int | None) -> Answer:
    """Return the answer about log lines of which none is known."""
    many = sum(1 for line in about.splitlines() if line.strip())
    told = ngettext(
        "{number} log line was read. It is not known to concern a consumer group.",
        "{number} log lines were read. None of them is known to concern a consumer group.",
        many,
    ).format(number=f"{many:,}")
    more = gettext("Paste the lines before and after, or give the whole log: rebalance audit FILE")
    return Answer([told, more], lambda: document(about, question, lasted, untold=[told]), NOT_UNDERSTOOD)


def refuse_others(about: str, *, words: bool) -> None:
    """Raise ``UsageError`` if the text has lines that are output of mqadmin about no single group.

    ``words``: True if the text also describes a symptom; it then needs the heading of a table.
    """
    if "\n" not in about.strip() or (words and not HEADING.search(about)):
        return
    for one in of_text(about):
        if one.printed.groups or one.printed.others:
            raise UsageError(nothing(one.printed))


def understands(content: bytes) -> bool:
    """Return True if ``rebalance why --file`` has an answer about this content."""
    text = decoded(content)
    if text is None:
        return False
    try:
        printed = parsed(text)
    except NotReadable:
        return False
    known = printed.something or bool(printed.others or printed.groups)
    return known or any(one.rank <= LOGGED for one in statements(text)) or elsewhere(text) is not None
