"""The answer of ``rebalance why`` in a terminal."""

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
from rebalance_proofs.report.symptoms.words import helps, known, lasts, line, marked, readable, too_short

__all__ = ["MARK", "Found", "before", "by_cause", "by_files", "by_lines", "by_symptom", "outside", "symptoms"]

MARK = "NOT CLAIMED. "
"""Mark in front of a cause that no claim shows."""
NOT_LOST = "What nobody has read yet is not lost: it waits at the broker. `rebalance why stuck` tells why."


def symptoms() -> Iterator[str]:
    """The symptoms that can be asked for."""
    for one in Symptom:
        yield f"{one.value:8}{one.question}"
    yield ""
    yield 'Or a line of a log: rebalance why "subscription not exist".'
    yield "Or what mqadmin printed: rebalance why --file consumer-status.txt."


def outside(one: Unmodelled) -> Iterator[str]:
    """What is said of what no claim is about."""
    yield f"UNMODELLED: no claim and no cause here is about {one.what}."
    yield f"Why: {one.why}."
    yield "docs/explanation/scope.md says what is modelled, and what is not."


def before(symptom: Symptom | None, remark: str) -> Iterator[str]:
    """What is said before the causes of a symptom."""
    yield from [remark] * bool(remark)
    yield from [NOT_LOST] * (symptom is Symptom.LOST)


def by_symptom(symptom: Symptom, question: Asked, every: Sequence[Found]) -> Iterator[str]:
    """The symptom's causes, most fitting first."""
    yield symptom.question + (f" ({question.label})" if question.label else "")
    yield from before(symptom, question.remark)
    possible = [one for one in every if one.possible]
    long_enough = [one for one in possible if not one.too_short]
    yield from _in_full(long_enough)
    short = [one for one in possible if one.too_short]
    if short:
        yield ""
        yield f"Told last, because you see it for {seconds(short[0].asked_for or 0)}:"
        for one in short:
            yield f"  - {_named(one)}: {one.cause.sentence} Last, because {too_short(one)}."
    yield from _rest(every, question)
    yield ""
    yield BRIEFLY


def _rest(every: Sequence[Found], question: Asked) -> Iterator[str]:
    for status, head in (
        (Known.EXCLUDED, f"Proved that it cannot be ({question.label}):"),
        (Known.OTHERS, f"Claimed of other clients or strategies, and nothing of this one ({question.label}):"),
        (Known.NOT_READ, f"Not claimed, and not read in the source of this client ({question.label}):"),
    ):
        chosen = [one for one in every if one.known is status]
        if chosen:
            yield ""
            yield head
        for one in chosen:
            why = f" {of_claims(one.excluded)}" if status is Known.EXCLUDED else ""
            yield f"  - {one.cause.name}: {one.cause.sentence}{why}"
    if question.release and question.release not in JAVA:
        yield ""
        yield "Lines of the client's log are left out: only those of Java's client were read."
    other = [one.cause.name for one in every if one.known is Known.OTHER_MODE]
    if other:
        yield ""
        yield f"About other ways to use a client: {', '.join(other)}."


def _in_full(every: Iterable[Found]) -> Iterator[str]:
    told: dict[Line, int] = {}
    for number, one in enumerate(every, 1):
        yield ""
        yield f"{number}. {one.cause.name}: {'' if one.claimed else MARK}{one.cause.sentence}"
        yield from (f"   {part}" for part in _details(one, told))
        for found in one.cause.lines:
            told.setdefault(found, number)


def _details(one: Found, told: Mapping[Line, int]) -> Iterator[str]:
    """Details of a cause; ``told``: log lines quoted before, with the number of the cause that quotes them."""
    yield f"{capitalized(lasts(one))}."
    yield from (f"{capitalized(part)}." for part in known(one))
    for found in one.cause.lines:
        if found in told:
            yield f"Log of the {found.place}, as under {told[found]}: {found.means}."
        elif readable(found, one.question):
            yield f"Log of the {line(found, one.question)}."
    yield from (f"Look: {part}" for part in one.cause.looks)
    yield from (f"Helps: {part}" for part in helps(one.cause.helps, one.question))
    yield from (f"Bug: {bug.called}, {bug.address}" for bug in one.bugs if bug.issue)


def by_cause(every: Sequence[Found], remark: str = "") -> Iterator[str]:
    """One cause, with all its symptoms."""
    yield from [remark] * bool(remark)
    for number, one in enumerate(every):
        yield from [""] * bool(number)
        yield f"{one.effect.symptom.value}: {one.effect.symptom.question}"
        yield f"{one.cause.name}: {'' if one.claimed else MARK}{one.cause.sentence}"
        if not one.possible:
            yield f"   {one.question.label}: {one.known.value}."
        yield from (f"   {part}" for part in _details(one, {}))
    yield ""
    yield BRIEFLY


def by_lines(found: Sequence[tuple[Line, Sequence[Found]]]) -> Iterator[str]:
    """Log lines that match the text, and the causes that they point to."""
    for number, (one, causes) in enumerate(found):
        yield from [""] * bool(number)
        yield f"Log of the {line(one, Asked())}."
        yield from pointed([(cause, "") for cause in causes])


def by_files(question: Asked, typed: Asked, signs: Sequence[Fits], left: Sequence[str]) -> Iterator[str]:
    """Signs seen in the files, causes that fit them, and what the files do not tell.

    ``question`` is what the user has ``typed``, completed by what the files say.
    """
    said = (
        "as the options say"
        if question == typed
        else "as the files say"
        if typed == Asked()
        else "by options and files"
    )
    yield f"{question.label}, {said}." if question.label else "Of any client; --client and --mode tell more."
    yield from [question.remark] * bool(question.remark)
    if not signs:
        yield "Nothing in it points to a cause that is known."
    for one in signs:
        yield ""
        yield f"Seen: {one.seen[0].sign.value}."
        yield from (f"  {found.words}" for found in one.seen)
    if signs:
        yield ""
        yield "What fits, first what fits most of it:"
        yield from pointed([(cause, f", {_many(many, len(signs))}") for cause, many in ranked(signs)])
    if left:
        yield ""
        yield "What this does not tell:"
        yield from (f"  - {sentence}" for sentence in left)


def _many(many: int, signs: int) -> str:
    return "fits what is seen" if many == signs else f"fits {many} of the {signs} signs"


def pointed(causes: Sequence[tuple[Found, str]]) -> Iterator[str]:
    """One line for each cause; `rebalance why CAUSE` tells it in full."""
    for one, more in causes:
        mark = "" if one.claimed else MARK
        short = f" Told last, because {too_short(one)}." if one.too_short else ""
        seen = f"; real clients: {marked(one)}" if one.claimed else ""
        yield f"  - {one.cause.name} ({one.effect.symptom.value}{more}{seen}): {mark}{one.cause.sentence}{short}"
    if causes:
        yield f"  {BRIEFLY}"
        yield f"  rebalance why {causes[0][0].cause.name}   tells one of them in full"
    else:
        yield "  No cause that is known of what was asked for."


def _named(one: Found) -> str:
    """A cause's name with its mark: ``waits-for-crashed (real clients: model only)``."""
    return f"{one.cause.name} (real clients: {marked(one)})" if one.claimed else one.cause.name
