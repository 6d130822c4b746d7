"""Sentences about one cause, shared by the docs page, the terminal and JSON."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rebalance_proofs.recorded.logs.lines import ALL, Line, Logs
from rebalance_proofs.report.english import capitalized, listing, seconds
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.mark import GROUPS
from rebalance_proofs.report.marks import of_claims, together, word_of
from rebalance_proofs.report.ordered.two_events import EVENT_OF
from rebalance_proofs.report.symptoms.answer import Found, each_most
from rebalance_proofs.report.symptoms.asked import JAVA, Asked, by_id, covers, whose
from rebalance_proofs.report.symptoms.cause import Basis, Cause, Help, Lasts

__all__ = [
    "CAVEAT",
    "bounded",
    "by_client",
    "helps",
    "known",
    "lasts",
    "lasts_anywhere",
    "line",
    "marked",
    "read_in",
    "readable",
    "too_short",
    "worth",
]


CAVEAT = "Unless it names two events, a bound holds for one event in a calm group; two events in a row can take longer."
"""Sentence about the limits of bounds on a duration; printed once with every answer that has a bound."""


def known(one: Found) -> Iterator[str]:
    """Yield the evidence for the cause, and the claims that exclude it for part of the question."""
    if one.shown:
        yield f"evidence: {of_claims(one.shown)}"
    if one.cause.read:
        yield f"no claim covers this: read in the source of {read_in(one.cause)} ({one.cause.source})"
    elif not one.claimed:
        yield one.known.value
    if one.excluded:
        yield f"excluded where these claims apply: {of_claims(one.excluded)}"
    if one.bounds:
        yield f"limits: {of_claims(one.bounds)}"


def read_in(cause: Cause) -> str:
    """Return the releases in whose source the cause was read, as a list."""
    return listing(whose(release) for release in cause.read)


def marked(one: Found) -> str:
    """Return the conformance mark of the claims that show the cause, or "" without such claims.

    Example: ``not recorded``.
    """
    return str(together(one.shown)) if one.shown else ""


def lasts(one: Found) -> str:
    """Return how long the effect lasts, with the evidence; no full stop at the end."""
    found = one.effect.lasts
    if found.event or found.basis is Basis.OPEN:
        return f"{'happens' if found.event else 'lasts'} {found.words}"
    if one.most is None:
        return f"lasts {found.words}. No bound is known: only other clients were explored"
    named = None if one.question.release else str
    return f"lasts at most {seconds(one.most)}, {found.words}. Bound: {worth(found, named)}"


def lasts_anywhere(one: Found) -> str:
    """Return how long the effect lasts for any client, as the beginning of a sentence.

    If clients differ, the duration of each client is listed.
    """
    found = one.effect.lasts
    told = f"lasts {found.words}. At most {by_client(found)}. Bound: {worth(found)}" if found.way else lasts(one)
    return capitalized(told)


def worth(found: Lasts, told: Callable[[str], str] | None = None) -> str:
    """Return the evidence for a bound with its conformance mark: ``proved, not recorded``.

    With ``told``, a function that formats a claim's id, the claims are listed as well.
    """
    if found.claims:
        alike = grouped(found.claims, word_of).items()
        named = "; ".join(f"proved, {mark}: {', '.join(map(told or str, own))}" for mark, own in alike)
        proved = named if told else f"proved, {together(found.claims)}"
        return f"{proved}; the last {seconds(found.then)} read in the source, not proved" if found.then else proved
    if found.basis is Basis.EXPLORED:
        composed = found.way in EVENT_OF
        given = "for any two joins, shutdowns or crashes in a row" if composed else "for one change of the owner"
        return f"not proved; explored in steps of 10 s, {given}; real clients: {GROUPS}"
    return str(found.basis.value)


def by_client(lasts: Lasts) -> str:
    """Return the longest explored duration of each client, as text; clients with equal durations are grouped."""
    alike: dict[int | None, list[str]] = {}
    for name, ms in each_most(lasts):
        alike.setdefault(ms, []).append(name)
    return ", ".join(f"{'no time' if ms is None else seconds(ms)} ({listing(names)})" for ms, names in alike.items())


def bounded(every: Iterable[Found]) -> Iterator[str]:
    """Yield ``CAVEAT`` if the duration of one of the causes has a bound."""
    if any(not one.effect.lasts.event and one.most is not None for one in every):
        yield CAVEAT


def too_short(one: Found) -> str:
    """Return why a cause that ends sooner than the observed symptom is listed last."""
    if one.effect.lasts.event:
        return "it is a one-time event, and has to recur to be observed for longer"
    assert one.most is not None
    return f"it lasts at most {seconds(one.most)} ({worth(one.effect.lasts)})"


def line(found: Line, question: Asked) -> str:
    """Return a known log line in the wording of the client that the user asked about.

    Format: ``client, RebalanceImpl: "doRebalance, ...": MEANING``.
    """
    wordings = found.of(question.release) if found.logs is Logs.CLIENT else found.wordings
    forms = " or ".join(f'"{one.text}"{_releases(one.releases)}' for one in wordings)
    where = listing(dict.fromkeys(one.where for one in wordings))
    return f"{found.place}, {where}: {forms}: {found.means}"


def readable(found: Line, question: Asked) -> bool:
    """Return whether the log line's exact wording is known for the client that the user asked about.

    Of the clients' sources, only Java's was read for log lines.
    """
    return found.logs is Logs.BROKER or not question.release or question.release in JAVA


def _releases(releases: Sequence[str]) -> str:
    """Return the releases that log this wording, in brackets; empty if all do."""
    return f" ({', '.join(releases)})" if releases != ALL else ""


def helps(found: Iterable[Help], question: Asked) -> Iterator[str]:
    """Yield the fixes as text, each with the claims that prove it for the client that the user asked about."""
    for one in found:
        if not one.suits(question.release):
            continue
        claims = [name for name in one.claims if covers(by_id(name), question)]
        if one.claims and not claims and question.release:
            yield f"{one.words} (proved for other clients)"
        else:
            yield f"{one.words} ({of_claims(claims)})" if claims else one.words
