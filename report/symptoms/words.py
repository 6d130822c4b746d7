"""Sentences about one cause, shared by the docs page, the terminal and JSON."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from rebalance_proofs.language import gettext, later, ngettext
from rebalance_proofs.recorded.logs.lines import ALL, NAMED, Line, Logs, Wording
from rebalance_proofs.report.claims.mark import GROUPS
from rebalance_proofs.report.index.entries import of_claims, together, word_of
from rebalance_proofs.report.ordered.two_events import EVENT_OF
from rebalance_proofs.report.symptoms.answer import Found, each_most
from rebalance_proofs.report.symptoms.asked import JAVA, Asked, by_id, covers, whose
from rebalance_proofs.report.symptoms.cause import Basis, Cause, Help, Lasts
from rebalance_proofs.report.text.english import capitalized, listing, seconds, shorten
from rebalance_proofs.report.text.grouped import grouped

CAVEAT = later(
    "Unless it names two events, a bound holds for one event in a calm group; two events in a row can take longer."
)
"""Sentence about the limits of bounds on a duration; printed once with every answer that has a bound."""
SHORT = 80
"""Most characters of a log line in a short answer."""
MOST_FORMS = 3
"""Largest number of forms of a log line that are quoted."""


def known(one: Found) -> Iterator[str]:
    """Yield the evidence for the cause, and the claims that exclude it for part of the question."""
    if one.shown:
        yield gettext("evidence: {claims}").format(claims=of_claims(one.shown))
    if one.cause.read and not one.shown and not one.excluded:
        yield gettext("no claim covers this: read in the source of {releases} ({source})").format(
            releases=read_in(one.cause), source=one.cause.source
        )
    elif not one.claimed:
        yield one.known.words
    if one.excluded:
        yield gettext("excluded where these claims apply: {claims}").format(claims=of_claims(one.excluded))
    if one.bounds:
        yield gettext("limits: {claims}").format(claims=of_claims(one.bounds))


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
    if found.event:
        return gettext("happens {when}").format(when=found.words)
    if found.basis is Basis.OPEN:
        return gettext("lasts {duration}").format(duration=found.words)
    if one.most is None:
        return gettext("lasts {duration}. No bound is known: only other clients were examined").format(
            duration=found.words
        )
    named = None if one.question.release else str
    return gettext("lasts at most {time}, {duration}. Bound: {evidence}").format(
        time=seconds(one.most), duration=found.words, evidence=worth(found, named)
    )


def lasts_anywhere(one: Found) -> str:
    """Return how long the effect lasts for any client, as the beginning of a sentence.

    If clients differ, the duration of each client is listed.
    """
    found = one.effect.lasts
    if not found.way:
        return capitalized(lasts(one))
    return capitalized(
        gettext("lasts {duration}. At most {times}. Bound: {evidence}").format(
            duration=found.words, times=by_client(found), evidence=worth(found)
        )
    )


def worth(found: Lasts, told: Callable[[str], str] | None = None) -> str:
    """Return the evidence for a bound with its conformance mark: ``proved, not recorded``.

    With ``told``, a function that formats a claim's id, the claims are listed as well.
    """
    if found.claims:
        alike = grouped(found.claims, word_of).items()
        named = gettext("; ").join(
            gettext("proved, {mark}: {claims}").format(mark=mark, claims=", ".join(map(told or str, own)))
            for mark, own in alike
        )
        proved = named if told else gettext("proved, {mark}").format(mark=together(found.claims))
        if not found.then:
            return proved
        return gettext("{evidence}; the last {time} read in the source, not proved").format(
            evidence=proved, time=seconds(found.then)
        )
    if found.basis is Basis.EXPLORED:
        composed = found.way in EVENT_OF
        if composed:
            return gettext(
                "not proved; explored in steps of 10 s, for any two joins, shutdowns or crashes in a row; "
                "real clients: {mark}"
            ).format(mark=GROUPS)
        return gettext(
            "not proved; explored in steps of 10 s, for one change of the owner; real clients: {mark}"
        ).format(mark=GROUPS)
    return found.basis.words


def by_client(lasts: Lasts) -> str:
    """Return the longest explored duration of each client, as text; clients with equal durations are grouped."""
    alike: dict[int | None, list[str]] = {}
    for name, ms in each_most(lasts):
        alike.setdefault(ms, []).append(name)
    return gettext(", ").join(
        gettext("{time} ({clients})").format(
            time=gettext("no time") if ms is None else seconds(ms), clients=listing(names)
        )
        for ms, names in alike.items()
    )


def bounded(every: Iterable[Found]) -> Iterator[str]:
    """Yield ``CAVEAT`` if the duration of one of the causes has a bound."""
    if any(not one.effect.lasts.event and one.most is not None for one in every):
        yield gettext(CAVEAT)


def too_short(one: Found) -> str:
    """Return why a cause that ends sooner than the observed symptom is listed last."""
    if one.effect.lasts.event:
        return gettext("it is a one-time event, and has to recur to be observed for longer")
    assert one.most is not None
    return gettext("it lasts at most {time} ({evidence})").format(
        time=seconds(one.most), evidence=worth(one.effect.lasts)
    )


def line(found: Line, question: Asked, *, short: bool = False) -> str:
    """Return a known log line in the wording of the client that the user asked about.

    Format: ``client, RebalanceImpl: "doRebalance, ...": MEANING``. With ``short``, it is the beginning of one wording.
    """
    wordings = found.of(question.release) if found.logs is Logs.CLIENT else found.wordings
    if short and wordings:
        where, forms = wordings[0].where, f'"{shorten(wordings[0].text, SHORT)}"'
    else:
        where, forms = _forms(wordings)
    return gettext("{log}, {where}: {forms}: {meaning}").format(
        log=found.place, where=where, forms=forms, meaning=found.means
    )


def _forms(wordings: Sequence[Wording]) -> tuple[str, str]:
    """Return the places and the forms of wordings, at most ``MOST_FORMS``."""
    forms = gettext(" or ").join(f'"{one.text}"{_releases(one.releases)}' for one in wordings[:MOST_FORMS])
    left = len(wordings) - MOST_FORMS
    more = (
        ngettext(" or {number} similar form", " or {number} similar forms", left).format(number=left)
        if left > 0
        else ""
    )
    where = listing(dict.fromkeys(where for one in wordings[:MOST_FORMS] for where in one.where.split(", ")))
    return where, f"{forms}{more}"


def logged(cause: Cause, question: Asked) -> tuple[Line, ...]:
    """Return the log lines that indicate the cause and that the client in the question, or a broker, writes."""
    release = question.release
    if not release:
        return cause.lines
    client = "java" if release in JAVA else release
    every = {one.name: one for one in cause.lines}
    if client != "java":
        every |= {one.name: one for one in NAMED.values() if one.like in every}
    return tuple(one for one in every.values() if one.logs is Logs.BROKER or _writes(one, client))


def unread(question: Asked) -> bool:
    """Return whether the log lines of the client in the question are unknown."""
    release = question.release
    return bool(release) and release not in JAVA and not any(_writes(one, release) for one in NAMED.values())


def _writes(found: Line, client: str) -> bool:
    return any(client in one.clients or one.written_by(client) for one in found.wordings)


def _releases(releases: Sequence[str]) -> str:
    """Return the releases that log this wording, in brackets; empty if all do."""
    return f" ({', '.join(releases)})" if releases and releases != ALL else ""


def helps(found: Iterable[Help], question: Asked) -> Iterator[str]:
    """Yield the fixes as text, each with the claims that prove it for the client that the user asked about."""
    for one in found:
        if not one.suits(question.release):
            continue
        claims = [name for name in one.claims if covers(by_id(name), question)]
        if one.claims and not claims and question.release:
            yield gettext("{fix} (proved for other clients)").format(fix=one.words)
        else:
            yield (
                gettext("{fix} ({claims})").format(fix=one.words, claims=of_claims(claims))
                if claims
                else str(one.words)
            )
