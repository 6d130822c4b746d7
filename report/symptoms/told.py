"""The answers of ``rebalance why`` as lines for a terminal."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rebalance_proofs.language import Text, gettext, later
from rebalance_proofs.model.receiving.releases import ANY, client_of
from rebalance_proofs.recorded.knowledge.statements.irrelevant import Irrelevant
from rebalance_proofs.recorded.logs.lines import Line, narrowed
from rebalance_proofs.report.claims.mark import briefly
from rebalance_proofs.report.index.entries import of_claims
from rebalance_proofs.report.symptoms.answer import Found, Known
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Symptom
from rebalance_proofs.report.symptoms.unmodelled import Unmodelled
from rebalance_proofs.report.symptoms.words import bounded, helps, known, lasts, line, logged, marked, too_short, unread
from rebalance_proofs.report.text.english import capitalized, seconds

__all__ = [
    "MARK",
    "Found",
    "before",
    "by_cause",
    "by_lines",
    "by_symptom",
    "of_irrelevant",
    "outside",
    "symptoms",
    "titled",
]

MARK = later("NOT CLAIMED. ")
"""Text in front of the sentence of a cause that no claim shows."""
BROKER = "broker"
"""Name of the broker among the clients whose log statements are known."""
NOT_LOST = later("Unread messages are not lost; they are still on the broker. `rebalance why stuck` lists the causes.")


def symptoms() -> Iterator[str]:
    """Yield the symptoms that a user can ask about."""
    for one in Symptom:
        yield f"{one.value:8}{one.question}"
    yield ""
    yield gettext('Or quote a log line: rebalance why "subscription not exist".')
    yield gettext("Or pass the output of mqadmin: rebalance why --file consumer-status.txt.")


def outside(one: Unmodelled) -> Iterator[str]:
    """Yield the answer to a question about a subject outside the model, such as pop consumption."""
    yield gettext("UNMODELLED: {what}. No claim and no cause covers this.").format(what=one.what)
    yield gettext("Reason: {why}.").format(why=one.why)
    yield from [str(one.known)] * bool(one.known)
    yield gettext("See docs/explanation/scope.md#{anchor}.").format(anchor=one.anchor)


def before(symptom: Symptom | None, remark: str) -> Iterator[str]:
    """Yield the lines that precede a symptom's causes, with ``remark`` about the client's release."""
    yield from [remark] * bool(remark)
    yield from [gettext(NOT_LOST)] * (symptom is Symptom.LOST)


def titled(symptom: Text, more: str) -> str:
    """Return a symptom's question, with the client or the facts that the user gave in brackets."""
    return gettext("{question} ({more})").format(question=symptom, more=more) if more else str(symptom)


def by_symptom(symptom: Symptom, question: Asked, every: Sequence[Found]) -> Iterator[str]:
    """Yield the symptom's causes, best fit first."""
    yield titled(symptom.question, question.label)
    yield from before(symptom, question.remark)
    possible = [one for one in every if one.possible]
    long_enough = [one for one in possible if not one.too_short]
    yield from _in_full(long_enough)
    short = [one for one in possible if one.too_short]
    if short:
        yield ""
        yield gettext("Too short for the {time} that you observe:").format(time=seconds(short[0].asked_for or 0))
        for one in short:
            yield gettext("  - {name}: {headline} Listed last: {reason}.").format(
                name=_named(one), headline=one.cause.headline, reason=too_short(one)
            )
    yield from _rest(every, question)
    yield ""
    yield from bounded(possible)
    yield briefly()


def _rest(every: Sequence[Found], question: Asked) -> Iterator[str]:
    for status, head in (
        (Known.EXCLUDED, gettext("Proved impossible ({client}):")),
        (Known.OTHERS, gettext("Claimed for other clients or strategies only, not for this one ({client}):")),
        (Known.NOT_READ, gettext("Not claimed, and not read in the source of this client ({client}):")),
    ):
        chosen = [one for one in every if one.known is status and not of_other_sdk(one)]
        if chosen:
            yield ""
            yield head.format(client=question.label)
        for one in chosen:
            why = f" {of_claims(one.excluded)}" if status is Known.EXCLUDED else ""
            yield f"  - {gettext('{name}: {sentence}').format(name=one.cause.name, sentence=one.cause.headline)}{why}"
    if unread(question):
        yield ""
        yield gettext("Client log lines are omitted: those of this client were not read.")
    other = [one.cause.name for one in every if one.known is Known.OTHER_MODE]
    if other:
        yield ""
        yield gettext("About other modes of use: {causes}.").format(causes=", ".join(other))


def of_other_sdk(one: Found) -> bool:
    """Return whether another gRPC client than the user's is the only one that has the cause."""
    client = client_of(one.question.release)
    return bool(one.cause.only_sdk) and client != ANY and client != one.cause.only_sdk


def _in_full(every: Iterable[Found]) -> Iterator[str]:
    told: dict[Line, int] = {}
    for number, one in enumerate(every, 1):
        yield ""
        yield f"{number}. {_headed(one)}"
        yield from (f"   {part}" for part in _details(one, told))
        for found in logged(one.cause, one.question):
            told.setdefault(found, number)


def _headed(one: Found) -> str:
    mark = "" if one.claimed else gettext(MARK)
    return gettext("{name}: {sentence}").format(name=one.cause.name, sentence=f"{mark}{one.cause.sentence}")


def _details(one: Found, told: Mapping[Line, int]) -> Iterator[str]:
    """Yield a cause's evidence, checks and fixes.

    ``told`` maps each log line that was already quoted to the number of the cause that quotes it.
    """
    yield gettext("{sentence}.").format(sentence=capitalized(lasts(one)))
    yield from (gettext("{sentence}.").format(sentence=capitalized(part)) for part in known(one))
    for found in logged(one.cause, one.question):
        if found in told:
            yield gettext("Log of the {log}, quoted under {number}: {title}.").format(
                log=found.place, number=told[found], title=found.title
            )
        else:
            yield gettext("Log of the {line}.").format(line=line(found, one.question))
    yield from (gettext("Confirm: {check}").format(check=part) for part in one.cause.looks_of(one.question.release))
    yield from (gettext("Fix: {fix}").format(fix=part) for part in helps(one.helps, one.question))
    yield from (
        gettext("Known bug: {issue}, {address}").format(issue=bug.called, address=bug.address)
        for bug in one.bugs
        if bug.issue
    )


def by_cause(every: Sequence[Found], remark: str = "") -> Iterator[str]:
    """Yield the answer about one cause, with all its symptoms (``rebalance why CAUSE``)."""
    yield from [remark] * bool(remark)
    for number, one in enumerate(every):
        yield from [""] * bool(number)
        name, symptom = one.effect.symptom.value, one.effect.symptom.question
        yield gettext("{name}: {sentence}").format(name=name, sentence=symptom)
        yield _headed(one)
        if not one.possible:
            said = gettext("{client}: {evidence}.").format(client=one.question.label, evidence=one.known.words)
            yield f"   {said}"
        yield from (f"   {part}" for part in _details(one, {}))
    yield ""
    yield from bounded(every)
    yield briefly()


def by_lines(found: Sequence[tuple[Line, Sequence[Found]]], text: str = "", remark: str = "") -> Iterator[str]:
    """Yield the log lines that match the text, and the causes that they indicate.

    Each line is quoted in the forms that ``text`` contains, if it contains one. ``remark``: about the client's version.
    """
    yield from [remark] * bool(remark)
    for number, (one, causes) in enumerate(found):
        yield from [""] * bool(number)
        yield gettext("Log of the {line}.").format(line=line(narrowed(text, one), Asked()))
        if one.parsed_only and one.fix:
            yield f"  {gettext('Fix: {fix}').format(fix=one.fix)}"
        elif one.parsed_only:
            yield f"  {gettext('This line indicates no cause by itself.')}"
        else:
            yield from pointed([(cause, "") for cause in causes])


def of_irrelevant(one: Irrelevant) -> Iterator[str]:
    """Yield the answer to a known log line that says nothing about the symptoms."""
    if one.client == BROKER:
        yield gettext("This is a known line of the broker ({where}).").format(where=one.where)
    else:
        client = one.client.removesuffix(" client")
        yield gettext("This is a known line of the {client} client ({where}).").format(client=client, where=one.where)
    yield gettext("It is about {subject}, and indicates no cause of a symptom.").format(subject=one.about)


def pointed(causes: Sequence[tuple[Found, str]]) -> Iterator[str]:
    """Yield one line for each (cause, remark), and a line with the command that prints a cause in full."""
    for one, more in causes:
        mark = "" if one.claimed else gettext(MARK)
        short = gettext(" Listed last: {reason}.").format(reason=too_short(one)) if one.too_short else ""
        seen = gettext("; real clients: {mark}").format(mark=marked(one)) if one.claimed else ""
        yield gettext("  - {name} ({evidence}): {sentence}").format(
            name=one.cause.name,
            evidence=f"{one.effect.symptom.value}{more}{seen}",
            sentence=f"{mark}{one.cause.headline}{short}",
        )
    if causes:
        yield from (f"  {words}" for words in bounded(one for one, _ in causes if one.too_short))
        yield f"  {briefly()}"
        yield gettext("  rebalance why {name}   prints one of them in full").format(name=causes[0][0].cause.name)
    else:
        yield gettext("  No known cause of this client and mode fits.")


def _named(one: Found) -> str:
    """Return a cause's name with its mark: ``waits-for-crashed (real clients: not recorded)``."""
    if not one.claimed:
        return one.cause.name
    return gettext("{name} (real clients: {mark})").format(name=one.cause.name, mark=marked(one))
