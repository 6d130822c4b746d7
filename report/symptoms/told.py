"""The answers of ``rebalance why`` as lines for a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rebalance_proofs.recorded.logs.lines import Line
from rebalance_proofs.report.english import capitalized, seconds
from rebalance_proofs.report.mark import BRIEFLY
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found, Known
from rebalance_proofs.report.symptoms.asked import JAVA, Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.fits import Fits, ranked
from rebalance_proofs.report.symptoms.unmodelled import Unmodelled
from rebalance_proofs.report.symptoms.words import bounded, helps, known, lasts, line, marked, readable, too_short

__all__ = ["MARK", "Found", "before", "by_cause", "by_files", "by_lines", "by_symptom", "outside", "symptoms"]

MARK = "NOT CLAIMED. "
"""Text in front of the name of a cause that no claim shows."""
NOT_LOST = "Unread messages are not lost; they are still on the broker. `rebalance why stuck` lists the causes."


def symptoms() -> Iterator[str]:
    """Yield the symptoms that a user can ask about."""
    for one in Symptom:
        yield f"{one.value:8}{one.question}"
    yield ""
    yield 'Or quote a log line: rebalance why "subscription not exist".'
    yield "Or pass the output of mqadmin: rebalance why --file consumer-status.txt."


def outside(one: Unmodelled) -> Iterator[str]:
    """Yield the answer to a question about a subject outside the model, such as pop consumption."""
    yield f"UNMODELLED: {one.what}. No claim and no cause covers this."
    yield f"Reason: {one.why}."
    yield f"See docs/explanation/scope.md#{one.anchor}."


def before(symptom: Symptom | None, remark: str) -> Iterator[str]:
    """Yield the lines that precede a symptom's causes, with ``remark`` about the client's release."""
    yield from [remark] * bool(remark)
    yield from [NOT_LOST] * (symptom is Symptom.LOST)


def by_symptom(symptom: Symptom, question: Asked, every: Sequence[Found]) -> Iterator[str]:
    """Yield the symptom's causes, best fit first."""
    yield symptom.question + (f" ({question.label})" if question.label else "")
    yield from before(symptom, question.remark)
    possible = [one for one in every if one.possible]
    long_enough = [one for one in possible if not one.too_short]
    yield from _in_full(long_enough)
    short = [one for one in possible if one.too_short]
    if short:
        yield ""
        yield f"Too short for the {seconds(short[0].asked_for or 0)} that you observe:"
        for one in short:
            yield f"  - {_named(one)}: {one.cause.headline} Listed last: {too_short(one)}."
    yield from _rest(every, question)
    yield ""
    yield from bounded(possible)
    yield BRIEFLY


def _rest(every: Sequence[Found], question: Asked) -> Iterator[str]:
    for status, head in (
        (Known.EXCLUDED, f"Proved impossible ({question.label}):"),
        (Known.OTHERS, f"Claimed for other clients or strategies only, not for this one ({question.label}):"),
        (Known.NOT_READ, f"Not claimed, and not read in the source of this client ({question.label}):"),
    ):
        chosen = [one for one in every if one.known is status]
        if chosen:
            yield ""
            yield head
        for one in chosen:
            why = f" {of_claims(one.excluded)}" if status is Known.EXCLUDED else ""
            yield f"  - {one.cause.name}: {one.cause.headline}{why}"
    if question.release and question.release not in JAVA:
        yield ""
        yield "Client log lines are omitted: only those of the Java client were read."
    other = [one.cause.name for one in every if one.known is Known.OTHER_MODE]
    if other:
        yield ""
        yield f"About other modes of use: {', '.join(other)}."


def _in_full(every: Iterable[Found]) -> Iterator[str]:
    told: dict[Line, int] = {}
    for number, one in enumerate(every, 1):
        yield ""
        yield f"{number}. {one.cause.name}: {'' if one.claimed else MARK}{one.cause.sentence}"
        yield from (f"   {part}" for part in _details(one, told))
        for found in one.cause.lines:
            told.setdefault(found, number)


def _details(one: Found, told: Mapping[Line, int]) -> Iterator[str]:
    """Yield a cause's evidence, checks and fixes.

    ``told`` maps each log line that was already quoted to the number of the cause that quotes it.
    """
    yield f"{capitalized(lasts(one))}."
    yield from (f"{capitalized(part)}." for part in known(one))
    for found in one.cause.lines:
        if found in told:
            yield f"Log of the {found.place}, quoted under {told[found]}: {found.title}."
        elif readable(found, one.question):
            yield f"Log of the {line(found, one.question)}."
    yield from (f"Confirm: {part}" for part in one.cause.looks)
    yield from (f"Fix: {part}" for part in helps(one.cause.helps, one.question))
    yield from (f"Known bug: {bug.called}, {bug.address}" for bug in one.bugs if bug.issue)


def by_cause(every: Sequence[Found], remark: str = "") -> Iterator[str]:
    """Yield the answer about one cause, with all its symptoms (``rebalance why CAUSE``)."""
    yield from [remark] * bool(remark)
    for number, one in enumerate(every):
        yield from [""] * bool(number)
        yield f"{one.effect.symptom.value}: {one.effect.symptom.question}"
        yield f"{one.cause.name}: {'' if one.claimed else MARK}{one.cause.sentence}"
        if not one.possible:
            yield f"   {one.question.label}: {one.known.value}."
        yield from (f"   {part}" for part in _details(one, {}))
    yield ""
    yield from bounded(every)
    yield BRIEFLY


def by_lines(found: Sequence[tuple[Line, Sequence[Found]]], remark: str = "") -> Iterator[str]:
    """Yield the log lines that match the text, and the causes that they indicate.

    ``remark``: about the client's version.
    """
    yield from [remark] * bool(remark)
    for number, (one, causes) in enumerate(found):
        yield from [""] * bool(number)
        yield f"Log of the {line(one, Asked())}."
        yield from pointed([(cause, "") for cause in causes])


def by_files(question: Asked, typed: Asked, signs: Sequence[Fits], left: Sequence[str]) -> Iterator[str]:
    """Yield signs in mqadmin's output, causes that explain them, and what the files do not show.

    ``typed`` has the client and mode from the options; ``question`` adds those found in the files. ``left`` has the
    sentences about what the files do not show.
    """
    source = (
        "from the options"
        if question == typed
        else "from the files"
        if typed == Asked()
        else "from the options and the files"
    )
    yield f"{question.label}, {source}." if question.label else "Any client; --client and --mode narrow it down."
    yield from [question.remark] * bool(question.remark)
    if not signs:
        yield "The files point to no known cause."
    for one in signs:
        yield ""
        yield f"Observed: {one.seen[0].sign.value}."
        yield from (f"  {found.words}" for found in one.seen)
    if signs:
        yield ""
        yield "Causes that fit, best fit first:"
        yield from pointed([(cause, f", {_many(many, len(signs))}") for cause, many in ranked(signs)])
    if left:
        yield ""
        yield "Open questions:"
        yield from (f"  - {sentence}" for sentence in left)


def _many(many: int, signs: int) -> str:
    return "fits all signs" if many == signs else f"fits {many} of {signs} signs"


def pointed(causes: Sequence[tuple[Found, str]]) -> Iterator[str]:
    """Yield one line for each (cause, remark), and a line with the command that prints a cause in full."""
    for one, more in causes:
        mark = "" if one.claimed else MARK
        short = f" Listed last: {too_short(one)}." if one.too_short else ""
        seen = f"; real clients: {marked(one)}" if one.claimed else ""
        yield f"  - {one.cause.name} ({one.effect.symptom.value}{more}{seen}): {mark}{one.cause.headline}{short}"
    if causes:
        yield from (f"  {words}" for words in bounded(one for one, _ in causes if one.too_short))
        yield f"  {BRIEFLY}"
        yield f"  rebalance why {causes[0][0].cause.name}   prints one of them in full"
    else:
        yield "  No known cause of this client and mode fits."


def _named(one: Found) -> str:
    """Return a cause's name with its mark: ``waits-for-crashed (real clients: not recorded)``."""
    return f"{one.cause.name} (real clients: {marked(one)})" if one.claimed else one.cause.name
