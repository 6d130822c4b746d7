"""Sentences about one cause, shared by page, terminal and JSON."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rebalance_proofs.recorded.logs.lines import ALL, Line, Logs
from rebalance_proofs.report.english import capitalized, listing, seconds
from rebalance_proofs.report.grouped import grouped
from rebalance_proofs.report.mark import GROUPS
from rebalance_proofs.report.marks import mark_of, of_claims, together
from rebalance_proofs.report.symptoms.answer import Found, each_most
from rebalance_proofs.report.symptoms.asked import JAVA, Asked, by_id, covers, whose
from rebalance_proofs.report.symptoms.cause import Basis, Cause, Help, Lasts

__all__ = [
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


def known(one: Found) -> Iterator[str]:
    """Evidence for the cause, and what excludes it for part of the question."""
    if one.shown:
        yield of_claims(one.shown)
    if one.cause.read:
        yield f"read in the source of {read_in(one.cause)} ({one.cause.source}), and in no claim"
    elif not one.claimed:
        yield one.known.value
    if one.excluded:
        yield f"excluded for what these are about: {of_claims(one.excluded)}"
    if one.bounds:
        yield f"how far it goes: {of_claims(one.bounds)}"


def read_in(cause: Cause) -> str:
    """Releases in whose source it was read, as a list."""
    return listing(whose(release) for release in cause.read)


def marked(one: Found) -> str:
    """Mark of the claims that show it: ``model only``; empty without such claims."""
    return together(one.shown).value if one.shown else ""


def lasts(one: Found) -> str:
    """The duration, with its evidence."""
    found = one.effect.lasts
    if found.basis is Basis.EVENT:
        return f"happens {found.words}, and what it does stays done"
    if found.basis is Basis.OPEN:
        return f"lasts {found.words}"
    if one.most is None:
        return f"lasts {found.words} (explored of other clients only)"
    named = None if one.question.release else str
    return f"lasts at most {seconds(one.most)}, {found.words} ({worth(found, named)})"


def lasts_anywhere(one: Found) -> str:
    """The same without a client, as the beginning of a sentence; durations that differ are given client by client."""
    found = one.effect.lasts
    told = f"lasts {found.words}; at most {by_client(found)} ({worth(found)})" if found.way else lasts(one)
    return capitalized(told)


def worth(found: Lasts, told: Callable[[str], str] | None = None) -> str:
    """Evidence for a duration, with the claims' mark: ``a proved bound, model only``; with ``told``, also with the
    claims, by their marks."""
    if found.claims and told:
        alike = [*grouped(found.claims, mark_of).items()]
        bases = (found.basis.value, *("proved" for _ in alike[1:]))
        named = zip(bases, alike, strict=True)
        return "; ".join(f"{basis}, {mark}: {', '.join(map(told, own))}" for basis, (mark, own) in named)
    if found.claims:
        return f"{found.basis.value}, {together(found.claims)}"
    return f"{found.basis.value}, {GROUPS}" if found.basis is Basis.EXPLORED else found.basis.value


def by_client(lasts: Lasts) -> str:
    """Longest explored duration of each client; clients with equal durations together."""
    alike: dict[int | None, list[str]] = {}
    for name, ms in each_most(lasts):
        alike.setdefault(ms, []).append(name)
    return ", ".join(f"{'no time' if ms is None else seconds(ms)} ({listing(names)})" for ms, names in alike.items())


def too_short(one: Found) -> str:
    """Why the cause is told last."""
    if one.effect.lasts.event:
        return "it is over at once: seen for longer, it comes again and again"
    assert one.most is not None
    return f"it lasts at most {seconds(one.most)} ({worth(one.effect.lasts)})"


def line(found: Line, question: Asked) -> str:
    """A log line, in the wording of the question's client: ``client, RebalanceImpl: "doRebalance, ...": MEANING``."""
    wordings = found.of(question.release) if found.logs is Logs.CLIENT else found.wordings
    forms = " or ".join(f'"{one.text}"{_releases(one.releases)}' for one in wordings)
    where = listing(dict.fromkeys(one.where for one in wordings))
    return f"{found.place}, {where}: {forms}: {found.means}"


def readable(found: Line, question: Asked) -> bool:
    """Whether the line's source was read for the question's client; of clients, only Java's was."""
    return found.logs is Logs.BROKER or not question.release or question.release in JAVA


def _releases(releases: Sequence[str]) -> str:
    """The wording's releases in brackets; empty if all releases have it."""
    return f" ({', '.join(releases)})" if releases != ALL else ""


def helps(found: Iterable[Help], question: Asked) -> Iterator[str]:
    """Remedies, with the claims about them for the question's client."""
    for one in found:
        claims = [name for name in one.claims if covers(by_id(name), question)]
        if one.claims and not claims and question.release:
            yield f"{one.words} (proved of other clients)"
        else:
            yield f"{one.words} ({of_claims(claims)})" if claims else one.words
