"""The text of docs/reference/symptoms.md."""

from collections.abc import Iterator

from rebalance_proofs.language import gettext, later
from rebalance_proofs.recorded.logs.lines import ALL, HOLE, Line, Logs
from rebalance_proofs.report.claims.mark import explained, from_docs
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.bugs import Bug
from rebalance_proofs.report.symptoms.cause import TIMER, Basis, Help, Lasts, Needs, Symptom
from rebalance_proofs.report.symptoms.known_bugs import ADDRESS, known_bugs, link
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.told import MARK, NOT_LOST
from rebalance_proofs.report.symptoms.words import CAVEAT, by_client, read_in, worth
from rebalance_proofs.report.text.english import capitalized, listing, seconds

ANY = Asked()

HEAD = (
    later("# Symptoms"),
    later("This page is also available [in Chinese](symptoms.zh-CN.md)."),
    later(
        "This page lists the known causes of each symptom, with checks and fixes, then known bugs and log lines.\n"
        "`rebalance why` ranks the causes for your case:"
    ),
    later(
        "- `rebalance why twice --client 4.9.8 --mode push --after deploy --over` prints the three likeliest "
        "causes. Add `--all`\n"
        "  for all causes, or `--for 2m` if you observe the symptom for two minutes: causes that end sooner "
        "then come last.\n"
        '- `rebalance why "one queue stands still"` takes your own words.\n'
        '- `rebalance why "subscription not exist"` takes a log line.\n'
        "- `rebalance why --file consumer-status.txt` takes the output of mqadmin.\n"
        "- `rebalance why hand-over` explains one cause."
    ),
    later("[On your own cluster](../how-to/your-cluster.md) shows which commands to run."),
    later(
        "Each symptom has three groups of causes. The first needs only ordinary operation with default "
        "settings, the second a\n"
        "particular setup of the group. The third needs a failure of a broker, a host, the network or a request."
    ),
    later("How to read a cause:"),
    later(
        "- **Evidence** names the claims that show it. REFUTED: a counterexample shows it. PROVED: the claim "
        "itself states it.\n"
        "- **Excluded** names claims that rule it out for their clients or strategies.\n"
        "- **Limits** names claims that limit its extent.\n"
        "- **NOT CLAIMED**: no claim shows it. It was read in RocketMQ's source, or found by exploring the model.\n"
        "- **Happens** marks a one-time event, whose effect stays. **Lasts** gives a duration with default "
        "settings.\n"
        '- **Bound** gives the evidence for "at most". {caveat}\n'
        "- A rebalance within 26 s is a part of several bounds. {timer}."
    ),
    later(
        "A *ProcessQueue* is the client's entry for a queue in its processQueueTable. *cidAll* is the list "
        "of the group's client\n"
        "ids, and *mqAll* the list of the topic's queues."
    ),
    later("Each claim has a mark, which says what recordings of real clients show about it. {seen}"),
)
"""Paragraphs at the top of the page."""


def page() -> str:
    """Return docs/reference/symptoms.md as text, or symptoms.zh-CN.md if the language in use is Chinese."""
    values = {"seen": explained(), "caveat": gettext(CAVEAT), "timer": TIMER}
    head = "\n\n".join(gettext(part).format(**values) for part in HEAD) + "\n"
    return "\n".join((head, *_symptoms(), *known_bugs(), *_lines())).rstrip() + "\n"


def _symptoms() -> Iterator[str]:
    explained: set[str] = set()
    for symptom in Symptom:
        yield f"## {symptom.question}\n"
        if symptom is Symptom.LOST:
            yield f"{gettext(NOT_LOST)}\n"
        every = found(symptom, ANY)
        for needs in Needs:
            chosen = [one for one in every if one.cause.needs is needs]
            if chosen:
                yield f"### {needs.heading}\n"
            for one in chosen:
                yield from _cause(one, one.cause.name in explained)
                explained.add(one.cause.name)


def _cause(one: Found, explained: bool) -> Iterator[str]:
    """Yield the Markdown lines about one cause.

    If the cause is already ``explained`` under another symptom, yield only what differs for this symptom.
    """
    mark = "" if one.claimed else f"**{gettext(MARK).strip()}** "
    yield f"#### {one.cause.name}\n"
    yield f"{mark}{one.cause.headline if explained else one.cause.sentence}\n"
    yield from (f"- {gettext('{sentence}.').format(sentence=part)}" for part in (*_lasts(one), *_known(one)))
    if explained:
        yield gettext("- Checks and fixes: see [{name}](#{name}).").format(name=one.cause.name)
    else:
        if one.cause.lines:
            yield gettext("- Log lines: {lines}.").format(lines=gettext(", ").join(map(_link, one.cause.lines)))
        yield from ("- " + gettext("Confirm: {check}").format(check=part) for part in one.cause.looks)
        yield from ("- " + gettext("Fix: {fix}").format(fix=_help(part)) for part in one.cause.helps)
    if one.bugs:
        yield gettext("- [Known bugs]({address}): {bugs}.").format(
            address=ADDRESS, bugs=gettext(", ").join(map(_bug, one.bugs))
        )
    yield ""


def _lasts(one: Found) -> Iterator[str]:
    lasts = one.effect.lasts
    if lasts.basis in (Basis.EVENT, Basis.OPEN):
        if lasts.event:
            yield gettext("Happens {when}").format(when=lasts.words)
        else:
            yield gettext("Lasts {duration}").format(duration=lasts.words)
        return
    if lasts.way:
        yield gettext("Lasts {duration}").format(duration=lasts.words)
        yield gettext("Lasts at most: {times}").format(times=by_client(lasts))
    else:
        assert lasts.most is not None
        yield gettext("Lasts at most {time}, {duration}").format(time=seconds(lasts.most), duration=_words(lasts))
    yield gettext("Bound: {evidence}").format(evidence=worth(lasts, _claim))


def _words(lasts: Lasts) -> str:
    """Return the duration in words, without the sentence about the timer: the page's head has it."""
    return str(lasts.words).removesuffix(str(TIMER)).rstrip(" .。")


def _known(one: Found) -> Iterator[str]:
    if one.shown:
        yield gettext("Evidence: {claims}").format(claims=of_claims(one.shown, _claim))
    elif not one.cause.read:
        yield gettext("Evidence: exploration of the model")
    else:
        yield gettext("Evidence: source of {releases} ({source})").format(
            releases=read_in(one.cause), source=one.cause.source
        )
    if one.excluded:
        yield gettext("Excluded: {claims}").format(claims=of_claims(one.excluded, _claim))
    if one.bounds:
        yield gettext("Limits: {claims}").format(claims=of_claims(one.bounds, _claim))


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _help(one: Help) -> str:
    if one.symptoms:
        only = ", ".join(symptom.value for symptom in one.symptoms)
        return gettext("[{symptoms} only] {fix}").format(symptoms=only, fix=_proved(one))
    return _proved(one)


def _proved(one: Help) -> str:
    if not one.claims:
        return str(one.words)
    return gettext("{fix} {claims}.").format(fix=one.words, claims=capitalized(of_claims(one.claims, _claim)))


def _bug(bug: Bug) -> str:
    return link(bug) if bug.issue else gettext("[one without a known issue](#{anchor})").format(anchor=bug.anchor)


def _link(line: Line) -> str:
    return f"[{line.title}](#{line.name})"


def _lines() -> Iterator[str]:
    yield f"## {gettext('Log lines')}\n"
    yield gettext(
        "The texts are those of RocketMQ's source, with `{hole}` for a value. The releases {releases} were read.\n"
        "A text that only some of them have is followed by their numbers."
    ).format(hole=HOLE, releases=listing(ALL))
    yield ""
    for logs in Logs:
        for file in dict.fromkeys(line.file for line in LINES.values() if line.logs is logs):
            chosen = [line for line in LINES.values() if (line.logs, line.file) == (logs, file)]
            yield f"### {gettext('Log of the {log}').format(log=chosen[0].place)}\n"
            for line in chosen:
                yield from _line(line)
            yield ""


def _line(line: Line) -> Iterator[str]:
    yield gettext('- <a id="{anchor}"></a>**{title}.** {more}.').format(
        anchor=line.name, title=capitalized(str(line.title)), more=line.more
    )
    for one in line.wordings:
        releases = f" ({', '.join(one.releases)})" if one.releases not in ((), ALL) else ""
        yield f"  - {one.where}: `{one.text.strip()}`{releases}"
