"""To-do list for one client, mode and strategy: at most five fixes, the worst symptom first."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.language import Text
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked, by_id, covers
from rebalance_proofs.report.symptoms.cause import Help, Needs, Symptom
from rebalance_proofs.report.text.english import clauses, listing
from rebalance_proofs.report.text.grouped import grouped

MOST = 5
"""Largest number of fixes in the list."""
WORST = (Symptom.LOST, Symptom.TWICE, Symptom.STUCK, Symptom.BACK, Symptom.START, Symptom.TILTED, Symptom.OFTEN)
"""Symptoms, the worst first: a lost message is gone, and a redelivered one is not."""
SYMPTOMS = {
    Symptom.TWICE: "redelivered messages",
    Symptom.LOST: "lost messages",
    Symptom.STUCK: "stalled consumption",
    Symptom.BACK: "offset rollback",
    Symptom.TILTED: "skewed queue counts",
    Symptom.OFTEN: "frequent rebalances",
    Symptom.START: "an unexpected start offset",
}
"""Noun phrase for each symptom, such as ``skewed queue counts``."""


@dataclass
class Fix:
    """A fix, and the causes that it addresses."""

    help: Help
    against: list[Found] = field(default_factory=list)

    @property
    def order(self) -> tuple[int, bool, int]:
        """Sort key of the fix: its worst symptom, then fixes that name a setting or command, then most causes."""
        worst = min(WORST.index(one.effect.symptom) for one in self.against)
        return worst, not self.help.handy, -len({one.cause.name for one in self.against})

    @property
    def symptoms(self) -> str:
        """The symptoms that the fix prevents, each with the names of its causes, as text.

        An unexpected start offset is left out for a cause that also has a worse symptom: it is the same event.
        """
        pairs = [(one.effect.symptom, one.cause.name) for one in self.against]
        others = {name for symptom, name in pairs if symptom is not Symptom.START}
        return symptoms(pair for pair in pairs if pair[0] is not Symptom.START or pair[1] not in others)


def symptoms(pairs: Iterable[tuple[Symptom, str]]) -> str:
    """Join symptoms with their causes: ``lost messages (nothing-committed), and offset rollback (late-commit)``.

    Symptoms with the same causes are joined.
    """
    causes = {
        symptom: dict.fromkeys(name for _, name in own) for symptom, own in grouped(pairs, lambda pair: pair[0]).items()
    }
    alike = grouped(causes, lambda symptom: frozenset(causes[symptom]))
    return clauses(f"{listing(SYMPTOMS[one] for one in own)} ({', '.join(causes[own[0]])})" for own in alike.values())


def fixes(question: Asked, among: Container[str]) -> list[Fix]:
    """Return fixes for causes in ordinary operation that one of the claims ``among`` shows, the worst symptom first.

    Each fix addresses a cause that no earlier fix addresses. Fixes with the same short sentence count as one.
    """
    every: dict[Text, Fix] = {}
    for symptom in WORST:
        for one in found(symptom, question):
            if one.cause.needs is Needs.NOTHING and any(name in among for name in one.shown):
                for remedy in one.cause.helps:
                    if remedy.serves(symptom) and known(remedy, question):
                        every.setdefault(remedy.brief, Fix(remedy)).against.append(one)
    return _first(sorted(every.values(), key=lambda fix: fix.order))


def todo(chosen: Sequence[Fix]) -> Iterator[str]:
    """Yield two lines of text for each fix; no line without fixes."""
    if not chosen:
        return
    yield "What to do, worst symptom first:"
    for number, fix in enumerate(chosen, 1):
        yield f"{number}. {fix.help.brief}"
        yield f"   Against {fix.symptoms}."


def _first(things: Sequence[Fix]) -> list[Fix]:
    chosen: list[Fix] = []
    met: set[str] = set()
    for thing in things:
        names = {one.cause.name for one in thing.against}
        if len(chosen) < MOST and names - met:
            chosen.append(thing)
            met |= names
    return chosen


def known(remedy: Help, question: Asked) -> bool:
    """Return whether the fix applies to that client.

    The client must have what the fix uses. If claims are about the fix, one of them must cover the client.
    """
    return remedy.suits(question.release) and (
        not remedy.claims or any(covers(by_id(name), question) for name in remedy.claims)
    )
