"""Text of docs/reference/symptoms.md."""

from collections.abc import Iterator

from rebalance_proofs.recorded.logs.lines import ALL, HOLE, Line
from rebalance_proofs.report.claim_address import from_docs
from rebalance_proofs.report.english import capitalized, listing, seconds
from rebalance_proofs.report.mark import EXPLAINED
from rebalance_proofs.report.marks import of_claims
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked, whose
from rebalance_proofs.report.symptoms.bug import Bug
from rebalance_proofs.report.symptoms.cause import Basis, Help, Needs, Symptom
from rebalance_proofs.report.symptoms.known_bugs import ADDRESS, known_bugs, link
from rebalance_proofs.report.symptoms.search import LINES
from rebalance_proofs.report.symptoms.told import MARK, NOT_LOST
from rebalance_proofs.report.symptoms.words import by_client, worth
from rebalance_proofs.report.symptoms.words import lasts as words_lasts

__all__ = ["page"]

ANY = Asked()

HEAD = """# Symptoms

What can be behind what you see: what belongs to ordinary operation, then what rests on how the group is set up, then
what takes a failure. `rebalance why twice --client 4.9.8 --mode push --after deploy --over` tells the three that are
most likely, for your client and what you say of it; with `--all` it tells the rest: what is proved not to be there is
left out, and what is over sooner than you have seen it (`--for 2m`) is told last. `rebalance why "one queue stands
still"` takes words of your own, `rebalance why "subscription not exist"` a line of a log, `rebalance why --file
consumer-status.txt` what mqadmin printed, and `rebalance why hand-over` tells one cause. [On your own
cluster](../how-to/your-cluster.md) says what to run, and what to read.

Under each cause stands by which claims it is known. REFUTED: a counterexample shows it. PROVED: it is so, or it is not
so there, as is said. A cause that is marked NOT CLAIMED was read in the source, and nothing is proved of it. How long
a cause lasts at most is marked too: a proved bound, the longest that was explored, or known from the source alone; all
with the settings as shipped.

Behind a verdict stands whether real clients were seen. {seen} What is not claimed has no such mark.
"""


def page() -> str:
    """The whole page."""
    return "\n".join((HEAD.format(seen=EXPLAINED), *_symptoms(), *known_bugs(), *_lines())).rstrip() + "\n"


def _symptoms() -> Iterator[str]:
    for symptom in Symptom:
        yield f"## {symptom.question}\n"
        if symptom is Symptom.LOST:
            yield f"{NOT_LOST}\n"
        every = found(symptom, ANY)
        for needs in Needs:
            chosen = [one for one in every if one.cause.needs is needs]
            if chosen:
                yield f"What it takes: {needs.value}.\n"
            for one in chosen:
                yield from _cause(one)


def _cause(one: Found) -> Iterator[str]:
    mark = "" if one.claimed else f"**{MARK.strip()}** "
    yield f"**{one.cause.name}**: {mark}{one.cause.sentence}\n"
    yield f"- {_lasts(one)}."
    yield from (f"- {part}." for part in _known(one))
    if one.cause.lines:
        yield f"- Logs: {'; '.join(map(_link, one.cause.lines))}."
    yield from (f"- Look: {part}" for part in one.cause.looks)
    yield from (f"- Helps: {_help(part)}" for part in one.cause.helps)
    if one.bugs:
        yield f"- [Known bugs]({ADDRESS}): {'; '.join(map(_bug, one.bugs))}"
    yield ""


def _lasts(one: Found) -> str:
    lasts = one.effect.lasts
    if lasts.basis in (Basis.EVENT, Basis.OPEN):
        return capitalized(words_lasts(one))
    if lasts.way:
        return f"Lasts {lasts.words}; at most {by_client(lasts)} ({worth(lasts)})"
    assert lasts.most is not None
    return f"Lasts at most {seconds(lasts.most)}, {lasts.words} ({worth(lasts, _claim)})"


def _known(one: Found) -> Iterator[str]:
    if one.shown:
        yield of_claims(one.shown, _claim)
    elif not one.cause.read:
        yield "Not claimed: explored"
    else:
        read = listing(whose(release) for release in one.cause.read)
        yield f"Not claimed: read in the source of {read} ({one.cause.source})"
    if one.excluded:
        yield f"Not so: {of_claims(one.excluded, _claim)}"
    if one.bounds:
        yield f"How far: {of_claims(one.bounds, _claim)}"


def _claim(name: str) -> str:
    return f"[`{name}`]({from_docs(name)})"


def _help(one: Help) -> str:
    return one.words + (f" ({of_claims(one.claims, _claim)})" if one.claims else "")


def _bug(bug: Bug) -> str:
    return link(bug) if bug.issue else bug.sentence.rstrip(".")


def _link(line: Line) -> str:
    return f"[{line.means}](#{_anchor(line)})"


def _anchor(line: Line) -> str:
    return next(name for name, one in LINES.items() if one == line)


def _lines() -> Iterator[str]:
    yield "## Lines of logs\n"
    yield f"Word by word as the sources have them, `{HOLE}` for a value. Read were {listing(ALL)}; where not all of"
    yield "them have a line, those that do are named.\n"
    yield "| log | class | line | means |"
    yield "|---|---|---|---|"
    for line in LINES.values():
        for number, one in enumerate(line.wordings):
            anchor = "" if number else f'<a id="{_anchor(line)}"></a>'
            releases = f" ({', '.join(one.releases)})" if one.releases != ALL else ""
            yield f"| {anchor}{line.place} | {one.where} | `{one.text.strip()}`{releases} | {line.means} |"
    yield ""
