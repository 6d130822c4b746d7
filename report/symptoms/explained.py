"""Answer a question about a symptom: read the user's words, and select the kind of answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rebalance_proofs.language import gettext
from rebalance_proofs.model.receiving.releases import ANY, client_of, is_sdk, named
from rebalance_proofs.model.releases import LANGUAGES
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.knowledge.statements.irrelevant import irrelevant
from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.symptoms import told
from rebalance_proofs.report.symptoms.answer import Found, causes_of
from rebalance_proofs.report.symptoms.asked import Asked, UnknownName, each_asked, whose
from rebalance_proofs.report.symptoms.cause import Facts, Symptom
from rebalance_proofs.report.symptoms.causes import CAUSES, SDK_CAUSES
from rebalance_proofs.report.symptoms.document import document
from rebalance_proofs.report.symptoms.mixed import mixed
from rebalance_proofs.report.symptoms.sdks import of_sdk
from rebalance_proofs.report.symptoms.search import is_line, is_logged, pointed_to, quotes
from rebalance_proofs.report.symptoms.understood import Understood, understood
from rebalance_proofs.report.symptoms.unmodelled import UNMODELLED, Unmodelled, outside, strategy_named, unmodelled
from rebalance_proofs.report.symptoms.worded import NOT_UNDERSTOOD, Answer, of_similar, of_symptoms, questions, wished
from rebalance_proofs.report.text.english import seconds

if TYPE_CHECKING:
    from rebalance_proofs.report.symptoms.pastes import Given

# Answer questions about times: how long a dead consumer stays listed, and how soon others take its queues over.

ASKS = re.compile(
    r"\bhow (?:long|soon|quick(?:ly)?|fast|much time|many (?:seconds|minutes))\b"
    r"|\b(?:after|in) (?:what|which) time\b|\bafter how (?:long|many)\b"
    r"|\bwhat is the (?:time ?out|delay|maximum time)\b"
    r"|多久|多长时间|多少时间|多少秒|多少分钟|几秒钟?(?:后|才|会|能)|几分钟(?:后|才|会|能)|什么时候(?:才|会|能)",
    re.I,
)
"""Words that ask for a time."""
OF_AN_EVENT = re.compile(
    r"\btak(?:e|es|en|ing)[ -]?over|\bre-?balanc|\bre-?assign|\bredistribut|\bre-?allocat|\bremov|\bkick|\bevict"
    r"|\bdetect|\bnotic|\boffline|\bcrash|\bdead\b|\bdie[sd]?\b|\bkill|\b(?:is|goes|went) down\b|\bvanish"
    r"|\bfail-?over|\bexpir|\bjoin|\bscal(?:e|ing)|\bheart ?beat"
    r"|\b(?:consumer|pod|member|client)s? (?:leaves|left|stops|restarts)"
    r"|踢|剔除|移除|摘除|接管|转移|下线|离线|宕机|挂掉|挂了|崩溃|死掉|感知|重平衡|rebalance|负载均衡|重新分配|扩容|缩容|心跳|断开",
    re.I,
)
"""Events of consumers and their queues that take a time."""
UNTIL = re.compile(
    r".*\bhow (?:(?:many|much) )?\w+ (?:until|before|it takes|does|do|will|would|is|are|can|after)\b"
    r"|.*(?:多久|多长时间|多少秒|多少时间|时候)[后之]?(?:才|会|能|可以)|.*(?:要|需要|需|花|经过)(?:多久|多长时间|多少)",
    re.I | re.S,
)
"""Words of a question about a time although a symptom is named."""


def asks_how_long(text: str, symptom: bool) -> bool:
    """Return True if the text asks how long an event of a group takes; ``symptom``: it names a symptom, too."""
    if not ASKS.search(text) or not OF_AN_EVENT.search(text):
        return False
    return not symptom or bool(UNTIL.match(text))


def durations() -> Iterator[str]:
    """Yield the times with default settings, and the command that computes them for other settings."""
    # Imported here because the models take long to load, and most questions are not about times.
    from rebalance_proofs.model.machines.ordered.state import DEFAULTS as ORDERED
    from rebalance_proofs.model.machines.registry.state import DEFAULTS as REGISTRY
    from rebalance_proofs.model.machines.settling.actions import DEFAULTS as SETTLING

    wait, loop, expired, scan = map(_ms, (SETTLING.wait, SETTLING.loop, REGISTRY.expired, REGISTRY.scan))
    first_pull, lock = map(_ms, (ORDERED.first_pull, ORDERED.broker))
    taken = wait + 2 * loop + first_pull
    removed = expired + scan
    yield gettext("Understood: a question about the time until queues are taken over.")
    yield gettext("Times with default settings, for one event in a calm group:")
    yield gettext(
        "  - A consumer's process ends or crashes: its connections close, so the broker removes it at once and "
        "notifies the group. Its queues are consumed again mostly within seconds, at the latest after {taken}: "
        "rebalance timer {wait}, and two rebalances of {loop}."
    ).format(taken=seconds(taken), wait=seconds(wait), loop=seconds(loop))
    yield gettext(
        "  - Its host or network vanishes without closing the connections: the broker removes it {expired} after its "
        "last heartbeat, checked every {scan}, so after {removed} at the latest. Its queues are consumed again after "
        "at most {taken}. A shorter heartbeat interval does not change this."
    ).format(
        expired=seconds(expired),
        scan=seconds(scan),
        removed=seconds(removed),
        taken=seconds(removed + taken),
    )
    yield gettext(
        "  - Ordered consumption, in addition: a process that ended without unlocking its queues holds their locks at "
        "the broker for {lock} after the last renewal."
    ).format(lock=seconds(lock))
    yield gettext("  - A consumer joins or leaves by shutdown(): at the latest after {taken}.").format(
        taken=seconds(taken)
    )
    yield gettext(
        "For your version, event and settings: rebalance settle --client 5.3.3 --event host-lost (or crash, join)"
    )


def _ms(time: object) -> int:
    """Return a time of the default settings, which are numbers and no terms of a solver."""
    assert isinstance(time, int)
    return time


QUOTED = 3
"""Fewest words of a text that is taken for a part of a log line although its words are understood."""


class Question(NamedTuple):
    """A user's question."""

    about: str
    """The text; empty without one."""
    files: tuple[Path, ...]
    """Files with pasted text; ``-`` is standard input."""
    words: Understood
    """The meaning of the text, if it is a description."""
    facts: Facts
    asks: tuple[Asked, ...]
    """The clients, each with mode and strategy."""

    @property
    def answerable(self) -> bool:
        """True if the text names or describes a symptom."""
        return bool(_symptom(self.about)) or self.words.answerable

    def answer(self, *, everything: bool = False) -> Answer:
        """Return the answer; with ``everything``, all causes with all details. Raises ``UsageError``."""
        given = _read(self.about, self.files)
        return _of_each(
            [_answer(self.about, self.words, one, self.facts, given, everything) for one in self.asks], self.asks
        )

    def of_one(self) -> "Question":
        """Return the question. Raises ``UsageError`` if it is about several clients: their answer has no JSON."""
        if len(self.asks) > 1:
            raise UsageError(gettext("--json answers about one client; give one with --client"))
        return self


def read(
    about: str,
    facts: Facts,
    client: str | None = None,
    mode: str | None = None,
    strategy: str | None = None,
    files: tuple[Path, ...] = (),
) -> Question:
    """Return the question as it is understood. Raises ``UsageError``."""
    if facts.lasted == 0:
        raise UsageError(gettext("--for is 0; give the time that the symptom has lasted, such as --for 2m"))
    about = about.strip()
    if about == "-":
        about, files = "", (*files, Path("-"))
    try:
        words = Understood() if _by_name(about) else understood(about)
        quoted = words.ignored or not words.something or len(about.split()) >= QUOTED
        if is_logged(about) or (quoted and quotes(about)) or _table(about):
            words = Understood()  # a log line or a table takes precedence over plain words
        sdk = named(about) if not client and not _by_name(about) else None
        asks = each_asked(client or "", mode or ("" if sdk else words.mode), with_sdks=True)
        if sdk:
            asks = (replace(asks[0], release=sdk.release, remark=sdk.note),)
        elif not client and len(words.clients) == 1:
            asks = (replace(asks[0], release=words.clients[0].release),)
        wanted = strategy or words.strategy
        if strategy and any(is_sdk(one.release) for one in asks):
            raise UsageError(gettext("gRPC clients have no allocation strategy; leave --strategy out"))
        if wanted and not any(is_sdk(one.release) for one in asks):
            # Imported here because strategies take long to load.
            from rebalance_proofs.report.claims.mine import chosen_strategy

            asks = tuple(replace(one, wanted=chosen_strategy(strategy_named(wanted))) for one in asks)
    except UnknownName as error:
        raise UsageError(outside(client, mode, strategy) or str(error)) from None
    facts = replace(
        facts,
        after=facts.after or next(iter(words.after), None),
        reach=facts.reach or words.reach,
        over=words.over if facts.over is None else facts.over,
        lasted=facts.lasted or words.lasted,
        also=() if facts.after else words.after[1:],
    )
    return Question(about, files, words, facts, asks)


def _of_each(answers: Sequence[Answer], asks: Sequence[Asked]) -> Answer:
    """Return the answers for several clients as one: what mixes badly first, then each client's answer."""
    if len(answers) == 1:
        return answers[0]
    lines = list(mixed([one.release for one in asks]))
    for one, question in zip(answers, asks, strict=True):
        lines += ["", f"== {whose(question.release) or LANGUAGES['java']} ==", *one.lines]
    return Answer(lines, answers[0].document, max(one.status for one in answers))


def _symptom(about: str) -> Symptom | None:
    return next((one for one in Symptom if one.value == about.casefold()), None)


def _table(about: str) -> bool:
    """Return True if the text has several lines and a table."""
    if "\n" not in about:
        return False
    # Imported here because readers of tables take long to load.
    from rebalance_proofs.report.symptoms.pastes import of_text

    return any(one.printed.something for one in of_text(about))


def _by_name(about: str) -> bool:
    """Return True if the text is empty, or the name of a symptom or cause."""
    return not about or bool(_symptom(about)) or any(one.name == about.casefold() for one in (*CAUSES, *SDK_CAUSES))


def _read(about: str, files: tuple[Path, ...]) -> "Sequence[Given]":
    """Return the content of the files, read once for all clients. Raises ``UsageError``."""
    if not files:
        return ()
    if about and not _symptom(about):
        raise UsageError(
            gettext("{text} is not a symptom; with --file, name one of {symptoms}, or nothing").format(
                text=repr(about), symptoms=_symptoms()
            )
        )
    # Imported here, as below, because readers of tables and logs take long to load.
    from rebalance_proofs.report.symptoms.pastes import of_files

    return of_files(files)


def _answer(
    about: str, words: Understood, question: Asked, facts: Facts, given: "Sequence[Given]", everything: bool
) -> Answer:
    """Return the answer to the user's question, as lines and as JSON values.

    ``about`` is the user's text, and ``words`` is its meaning. ``question`` has the user's client, mode and strategy.
    ``given`` has the content of the user's files. Raises ``UsageError``.
    """
    lasted, symptom = facts.lasted, _symptom(about)
    if not given and is_sdk(question.release) and (found := _of_sdk(about, words, question, facts, everything)):
        return found
    if given:
        from rebalance_proofs.report.symptoms.pastes import answered

        return answered(given, question, lasted, symptom, about, everything=everything)
    if symptom:
        return of_symptoms(about, symptom, words, question, facts, everything)
    if not about:
        if facts != Facts() or question != Asked():
            raise UsageError(gettext("the symptom is missing; name one of {symptoms}").format(symptoms=_symptoms()))
        return Answer(told.symptoms(), lambda: document(about, question, lasted))
    description = words.answerable and not words.ignored and "\n" not in about
    if not description:
        from rebalance_proofs.report.symptoms.pastes import of_paste

        if pasted := of_paste(about, question, lasted):
            return pasted
        if "\n" not in about and is_line(about) and (lines := pointed_to(about, question, lasted)):
            return _by_lines(lines, about, question, lasted)
    chosen = [one for one in (*CAUSES, *SDK_CAUSES) if one.name == about.casefold()]
    if chosen:
        if chosen[0].of_sdks and not is_sdk(question.release):
            question = replace(question, release=ANY)
        causes = causes_of(chosen, question, lasted)
        return Answer(told.by_cause(causes, question.remark), lambda: document(about, question, lasted, causes=causes))
    if "\n" not in about and asks_how_long(about, bool(words.symptoms)):
        bounds = [*durations()]
        return Answer(bounds, lambda: document(about, question, lasted, untold=bounds[2:-1]))
    if not_here := unmodelled(about):
        return _outside(about, question, lasted, not_here)
    if words.wishes:
        return wished(about, words, question, facts)
    if not description and (other := _other(about, words, question, lasted)):
        return other
    if not words.something:
        if lines := pointed_to(about, question, lasted):
            return _by_lines(lines, about, question, lasted)
        if statement := irrelevant(about):
            left = f"{statement.client}, {statement.where}: {statement.about.en}"
            return Answer(told.of_irrelevant(statement), lambda: document(about, question, lasted, untold=[left]))
        if is_logged(about):
            from rebalance_proofs.report.symptoms.pastes import of_unknown

            return of_unknown(about, question, lasted)
    if not words.answerable:
        return of_similar(about, words, question, facts) or questions(about, words, question, facts)
    return of_symptoms(about, None, words, question, facts, everything)


def _by_lines(
    lines: Sequence[tuple[Line, tuple[Found, ...]]], about: str, question: Asked, lasted: int | None
) -> Answer:
    """Return the answer about known log lines in a text, with their causes."""
    return Answer(told.by_lines(lines, about, question.remark), lambda: document(about, question, lasted, lines=lines))


def _of_sdk(about: str, words: Understood, question: Asked, facts: Facts, everything: bool) -> Answer | None:
    """Return the answer for a gRPC client; None for the name of a cause of one, for a paste, and without a text."""
    symptom = _symptom(about)
    if not about or "\n" in about or any(one.name == about.casefold() for one in SDK_CAUSES):
        return None
    words = of_sdk(about, words, question.release)
    if words.wishes:
        return wished(about, words, question, facts)
    if symptom or words.answerable:
        return of_symptoms(about, symptom, words, question, facts, everything)
    if named(about):
        from rebalance_proofs.report.symptoms.pastes import of_paste

        if pasted := of_paste(about, question, facts.lasted):
            return pasted
    if lines := pointed_to(about, question, facts.lasted):
        return _by_lines(lines, about, question, facts.lasted)
    return _not_understood(about, question, facts)


def _not_understood(about: str, question: Asked, facts: Facts) -> Answer:
    """Return the answer to a text about a gRPC client in which no symptom and no cause was recognised."""
    known = next(one.known for one in UNMODELLED if one.anchor == ANY)
    said = gettext("This was not understood: it names no symptom and no cause of {client}.").format(
        client=whose(question.release)
    )
    lines = [
        said,
        str(known),
        gettext("Name one of the symptoms {symptoms}: rebalance why SYMPTOM --client {client}").format(
            symptoms=_symptoms(), client=client_of(question.release)
        ),
    ]
    return Answer(lines, lambda: document(about, question, facts.lasted, facts=facts, untold=[said]), NOT_UNDERSTOOD)


def _outside(about: str, question: Asked, lasted: int | None, subject: Unmodelled) -> Answer:
    """Return the answer to a question about a subject outside the model."""
    return Answer(
        told.outside(subject),
        lambda: document(about, question, lasted, untold=[f"{subject.what}: {subject.why}"]),
    )


def _other(about: str, words: Understood, question: Asked, lasted: int | None) -> Answer | None:
    """Return the answer about a text of mqadmin, pop, gRPC or a producer that is not about a group; else None."""
    from rebalance_proofs.report.symptoms.pastes import of_elsewhere, refuse_others

    refuse_others(about, words=bool(words.symptoms))
    other = of_elsewhere([about], question, lasted, about)
    if other and (lines := pointed_to(about, question, lasted)) and any(one.of_sdks for one, _ in lines):
        return _by_lines(lines, about, question, lasted)  # an identifier within a known line of a gRPC client
    # An identifier of pop or gRPC says more than the words of a symptom; a producer's exception does not.
    return other if other and (other.status != NOT_UNDERSTOOD or not words.answerable) else None


def _symptoms() -> str:
    return gettext(", ").join(one.value for one in Symptom)
