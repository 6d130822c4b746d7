"""The text of docs/reference/symptoms.md."""

from collections.abc import Iterator

from rebalance_proofs.recorded.logs.lines import ALL, HOLE, Line, Logs
from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.english import capitalized, listing, seconds
from rebalance_proofs.report.mark import EXPLAINED
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.bug import Bug
from rebalance_proofs.report.symptoms.cause import TIMER, Basis, Help, Needs, Symptom
from rebalance_proofs.report.symptoms.known_bugs import ADDRESS, known_bugs, link
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.told import MARK, NOT_LOST
from rebalance_proofs.report.symptoms.words import CAVEAT, by_client, read_in, worth

__all__ = ["page"]

ANY = Asked()

HEAD = """# Symptoms

This page lists the known causes of each symptom, with checks and fixes, then known bugs and log lines.
`rebalance why` ranks the causes for your case:

- `rebalance why twice --client 4.9.8 --mode push --after deploy --over` prints the three likeliest causes. Add `--all`
  for all causes, or `--for 2m` if you observe the symptom for two minutes: causes that end sooner then come last.
- `rebalance why "one queue stands still"` takes your own words.
- `rebalance why "subscription not exist"` takes a log line.
- `rebalance why --file consumer-status.txt` takes the output of mqadmin.
- `rebalance why hand-over` explains one cause.

[On your own cluster](../how-to/your-cluster.md) shows which commands to run.

Each symptom has three groups of causes. The first needs only ordinary operation with default settings, the second a
particular setup of the group. The third needs a failure of a broker, a host, the network or a request.

How to read a cause:

- **Evidence** names the claims that show it. REFUTED: a counterexample shows it. PROVED: the claim itself states it.
- **Excluded** names claims that rule it out for their clients or strategies.
- **Limits** names claims that limit its extent.
- **NOT CLAIMED**: no claim shows it. It was read in RocketMQ's source, or found by exploring the model.
- **Happens** marks a one-time event, whose effect stays. **Lasts** gives a duration with default settings.
- **Bound** gives the evidence for "at most". {caveat}
- A rebalance within 26 s is a part of several bounds. {timer}.

A *ProcessQueue* is the client's entry for a queue in its processQueueTable. *cidAll* is the list of the group's client
ids, and *mqAll* the list of the topic's queues.

Each claim has a mark, which says what recordings of real clients show about it. {seen}
"""


def page() -> str:
    """Return docs/reference/symptoms.md as text."""
    head = HEAD.format(seen=EXPLAINED, caveat=CAVEAT, timer=TIMER)
    return "\n".join((head, *_symptoms(), *known_bugs(), *_lines())).rstrip() + "\n"


def _symptoms() -> Iterator[str]:
    explained: set[str] = set()
    for symptom in Symptom:
        yield f"## {symptom.question}\n"
        if symptom is Symptom.LOST:
            yield f"{NOT_LOST}\n"
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
    mark = "" if one.claimed else f"**{MARK.strip()}** "
    yield f"#### {one.cause.name}\n"
    yield f"{mark}{one.cause.headline if explained else one.cause.sentence}\n"
    yield from (f"- {part}." for part in _lasts(one))
    yield from (f"- {part}." for part in _known(one))
    if explained:
        yield f"- Checks and fixes: see [{one.cause.name}](#{one.cause.name})."
    else:
        if one.cause.lines:
            yield f"- Log lines: {', '.join(map(_link, one.cause.lines))}."
        yield from (f"- Confirm: {part}" for part in one.cause.looks)
        yield from (f"- Fix: {_help(part)}" for part in one.cause.helps)
    if one.bugs:
        yield f"- [Known bugs]({ADDRESS}): {', '.join(map(_bug, one.bugs))}."
    yield ""


def _lasts(one: Found) -> Iterator[str]:
    lasts = one.effect.lasts
    if lasts.basis in (Basis.EVENT, Basis.OPEN):
        yield f"{'Happens' if lasts.event else 'Lasts'} {lasts.words}"
        return
    if lasts.way:
        yield f"Lasts {lasts.words}"
        yield f"Lasts at most: {by_client(lasts)}"
    else:
        assert lasts.most is not None
        yield f"Lasts at most {seconds(lasts.most)}, {lasts.words.removesuffix(f'. {TIMER}')}"
    yield f"Bound: {worth(lasts, _claim)}"


def _known(one: Found) -> Iterator[str]:
    if one.shown:
        yield f"Evidence: {of_claims(one.shown, _claim)}"
    elif not one.cause.read:
        yield "Evidence: exploration of the model"
    else:
        yield f"Evidence: source of {read_in(one.cause)} ({one.cause.source})"
    if one.excluded:
        yield f"Excluded: {of_claims(one.excluded, _claim)}"
    if one.bounds:
        yield f"Limits: {of_claims(one.bounds, _claim)}"


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _help(one: Help) -> str:
    return one.words + (f" {capitalized(of_claims(one.claims, _claim))}." if one.claims else "")


def _bug(bug: Bug) -> str:
    return link(bug) if bug.issue else f"[one without a known issue](#{bug.anchor})"


def _link(line: Line) -> str:
    return f"[{line.title}](#{_anchor(line)})"


def _anchor(line: Line) -> str:
    return next(name for name, one in LINES.items() if one == line)


def _lines() -> Iterator[str]:
    yield "## Log lines\n"
    yield f"The texts are those of RocketMQ's source, with `{HOLE}` for a value. The releases {listing(ALL)} were read."
    yield "A text that only some of them have is followed by their numbers.\n"
    for logs in Logs:
        for file in dict.fromkeys(line.file for line in LINES.values() if line.logs is logs):
            chosen = [line for line in LINES.values() if (line.logs, line.file) == (logs, file)]
            yield f"### Log of the {chosen[0].place}\n"
            for line in chosen:
                yield from _line(line)
            yield ""


def _line(line: Line) -> Iterator[str]:
    title, _, more = line.means.partition(". ")
    yield f'- <a id="{_anchor(line)}"></a>**{capitalized(title)}.** {more}.'
    for one in line.wordings:
        releases = f" ({', '.join(one.releases)})" if one.releases != ALL else ""
        yield f"  - {one.where}: `{one.text.strip()}`{releases}"
