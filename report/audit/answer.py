"""The result of an audit of logs, with the user's options: which findings make it fail?"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from rebalance_proofs.model.receiving.releases import ANY, is_sdk
from rebalance_proofs.recorded.audit.finding import Finding, Level, What
from rebalance_proofs.recorded.audit.outcome import Audited, GroupTold
from rebalance_proofs.recorded.audit.outcome import File as LogFile
from rebalance_proofs.recorded.audit.said import indicated
from rebalance_proofs.recorded.audit.told import Where
from rebalance_proofs.recorded.logs.mentions import Mention
from rebalance_proofs.recorded.logs.sights import languages
from rebalance_proofs.recorded.logs.sources import Left
from rebalance_proofs.report.audit.words import short
from rebalance_proofs.report.symptoms.answer import Found, Known, causes_of
from rebalance_proofs.report.symptoms.asked import JAVA, Asked, UnknownName, asked
from rebalance_proofs.report.symptoms.cause import Cause, Sign, Symptom
from rebalance_proofs.report.symptoms.causes import EVERY
from rebalance_proofs.report.symptoms.mqadmin.signs import Seen

NEVER = (What.TWO, What.NOBODY, What.STALLED, What.VIEWS, What.UNLIKE, What.BACK)
"""Kinds of findings that make an audit fail by default."""
SHOWS_AS = {
    What.TWO: Symptom.TWICE,
    What.NOBODY: Symptom.STUCK,
    What.STALLED: Symptom.STUCK,
    What.VIEWS: Symptom.TWICE,
    What.UNLIKE: Symptom.TWICE,
    What.BACK: Symptom.BACK,
    What.LISTENERS: Symptom.TWICE,
    What.LOCKS: Symptom.STUCK,
    What.REFUSED: Symptom.STUCK,
    What.UNLISTED: Symptom.STUCK,
    What.CORRECTED: Symptom.BACK,
    What.GONE: Symptom.STUCK,
    What.UNREACHED: Symptom.STUCK,
    What.STORM: Symptom.STUCK,
    What.IDS: Symptom.TWICE,
    What.UNREAD: Symptom.STUCK,
    What.LINES: Symptom.STUCK,
    What.MODEL: Symptom.TWICE,
}
"""Main symptom of each kind of finding."""
SIGNS = {
    Sign.SHARED: What.TWO,
    Sign.STRATEGIES: What.VIEWS,
    Sign.SUBSCRIPTIONS: What.VIEWS,
    Sign.WENT_BACK: What.BACK,
    Sign.SAME_ID: What.IDS,
}
"""Signs in mqadmin's output that are as certain as lines of two logs.

A missing owner is not: mqadmin queries consumers only until one query fails.
"""
MOST_CAUSES = 3
"""Most causes of a known line."""
BY_NAME = {cause.name: cause for cause in EVERY}


@dataclass(frozen=True)
class Printed:
    """Signs in output of mqadmin, which can be among the audited files."""

    names: tuple[str, ...]
    signs: tuple[Seen, ...]
    group: str
    """The consumer group, if the output names it."""
    lines: tuple[str, ...] = ()
    """The answer of ``rebalance why --file`` about the output."""
    stalled: tuple[Finding, ...] = ()
    """Findings about queues whose offset is the same at two times."""


@dataclass(frozen=True)
class Meaning:
    """Equal lines that ``rebalance why`` knows, or that are outside the model."""

    quoted: str
    """The first line."""
    many: int
    means: tuple[str, ...]
    """Sentences, in the language in use."""
    causes: tuple[str, ...]


@dataclass
class Answer:
    """The complete answer of ``rebalance audit``."""

    audited: Audited
    left: Sequence[Left]
    """Files that were not read, with reasons."""
    question: Asked
    never: Mapping[What, int]
    """Kinds of findings that make the audit fail -> duration in ms that is still allowed."""
    digest: str
    printed: Sequence[Printed] = ()
    spark: str = ""
    """Spark's master, or "" if this process did all the work."""
    lines: Mapping[Where, str] = field(default_factory=dict)
    """Texts of log lines that findings cite, as far as they were read."""
    mentions: Sequence[Mention] = ()
    """Groups in lines without a parser, if no line with one names a group."""
    meanings: Sequence[Meaning] = ()
    """Lines that ``rebalance why`` knows, if the files have no evidence and no known line."""

    @cached_property
    def short(self) -> dict[str, str]:
        """Path of each audited file -> its shortest unique end."""
        return short({name for one in self.audited.files for name in (one.name, one.whole) if name})

    @property
    def failing(self) -> list[Finding]:
        """Findings that make the audit fail: certain ones (SEEN), of the kinds in ``never``."""
        return [
            one
            for group in self.audited.groups
            for one in group.findings
            if one.level is Level.SEEN and one.what in self.never and one.long >= self.never[one.what]
        ]

    @property
    def signs(self) -> list[What]:
        """Kinds of findings in mqadmin's output that make the audit fail."""
        kinds = [SIGNS[seen.sign] for one in self.printed for seen in one.signs if seen.sign in SIGNS]
        return [what for what in dict.fromkeys(kinds) if what in self.never]

    @property
    def incomplete(self) -> list[str]:
        """Names of files that were not read to their end, or that end within a line."""
        return [one.name for one in self.audited.files if one.incomplete] + [
            one.name for one in self.left if one.damaged
        ]

    @property
    def evidence(self) -> bool:
        """True if at least one file contains something about a consumer group."""
        return bool(self.audited.groups or self.printed)

    @property
    def named(self) -> bool:
        """True if a line names a consumer group, so that the audit can pass."""
        return bool(self.printed) or any(one.name for one in self.audited.groups)

    @property
    def limits(self) -> list[str]:
        """What the lines of named groups cannot show, because they are too few; each limit once."""
        groups = [one for one in self.audited.groups if one.coverage]
        return list(dict.fromkeys(limit for one in groups for limit in one.limits))

    @property
    def status(self) -> int:
        """Exit status: 1 if something fails the audit, 3 if no line names a group or a file is incomplete, else 0."""
        return 1 if self.failing or self.signs else 3 if self.incomplete or not self.named else 0


def question_of(groups: Iterable[GroupTold], typed: Asked, files: Iterable[LogFile] = ()) -> Asked:
    """Return the question for ``rebalance why``, with the client that the user names.

    Otherwise it is the release that all logs name, or the client in another language than Java that wrote them.
    """
    versions = {one.version for group in groups for one in group.coverage if one.version}
    if typed.release:
        return typed
    spoken = {name for one in files for name in languages(one.tally.named, one.tally.sights.values())}
    if len(spoken) == 1 and not spoken & {"java"}:
        return replace(asked(spoken.pop(), with_sdks=True), mode=typed.mode, wanted=typed.wanted)
    if len(versions) != 1:
        return typed
    try:
        logged = asked(versions.pop())
    except UnknownName:
        return typed
    return logged if logged.release in JAVA else typed


def _open(one: Found) -> bool:
    """Return True if nothing is known about the cause for a client in another language than Java."""
    return one.question.release not in JAVA and one.known in (Known.OTHERS, Known.NOT_READ)


def _of_sdks(causes: Iterable[Cause], question: Asked) -> Asked:
    """Return the question, about any gRPC client if only such a client has one of the causes."""
    if not is_sdk(question.release) and any(one.of_sdks for one in causes):
        return replace(question, release=ANY)
    return question


def behind_line(name: str, question: Asked) -> list[Found]:
    """Return the likely causes of a known line that no finding reports, each for its first symptom."""
    causes = [BY_NAME[one] for one in indicated(name)[:MOST_CAUSES]]
    question = _of_sdks(causes, question)
    every = causes_of(causes, question)
    found = [next(each for each in every if each.cause is cause) for cause in causes]
    found = [one for one in found if one.possible or not question.release or _open(one)]
    return sorted(found, key=lambda one: bool(question.release) and not one.possible)


def behind(one: Finding, question: Asked) -> list[Found]:
    """Return likely causes of a finding, each for the finding's main symptom if possible."""
    causes: list[Cause] = [BY_NAME[name] for name in one.causes]
    question = _of_sdks(causes, question)
    every = causes_of(causes, question)
    wanted = SHOWS_AS[one.what]
    found = []
    for cause in causes:
        own = [each for each in every if each.cause is cause]
        as_it_shows = [each for each in own if each.effect.symptom is wanted] or own[:1]
        found += [each for each in as_it_shows if each.possible or not question.release or _open(each)]
    if question.release and question.release not in JAVA:
        found.sort(key=lambda one: not one.possible)
    return found or [each for each in every if each.cause is causes[0]][:1] if causes else []
