"""To-do list for one client, mode and strategy: at most five fixes, the worst symptom first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.report.english import listing
from rebalance_proofs.report.symptoms.answer import Found, found
from rebalance_proofs.report.symptoms.asked import Asked, by_id, covers
from rebalance_proofs.report.symptoms.cause import Help, Needs, Symptom

__all__ = ["todo"]

MOST = 5
WORST = (Symptom.LOST, Symptom.TWICE, Symptom.STUCK, Symptom.BACK, Symptom.TILTED)


@dataclass
class _Thing:
    """A fix, and the causes that it removes."""

    help: Help
    against: list[Found] = field(default_factory=list)

    @property
    def order(self) -> tuple[int, bool, int]:
        """The sort key: worst symptom, then easy fixes, then number of removed causes.

        A fix is easy if a setting or a command is enough.
        """
        worst = min(WORST.index(one.effect.symptom) for one in self.against)
        return worst, not self.help.handy, -len(self.against)


def todo(question: Asked) -> Iterator[str]:
    """Yield fixes for causes that a claim shows in ordinary operation; nothing if none is known."""
    things: dict[str, _Thing] = {}
    for symptom in WORST:
        for one in found(symptom, question):
            if one.claimed and one.cause.needs is Needs.NOTHING:
                for remedy in one.cause.helps:
                    if _known(remedy, question):
                        things.setdefault(remedy.words, _Thing(remedy)).against.append(one)
    first = _first(sorted(things.values(), key=lambda thing: thing.order))
    if not first:
        return
    yield ""
    yield "TO DO, worst symptom first, settings and commands before other fixes:"
    for number, thing in enumerate(first, 1):
        causes = dict.fromkeys(f"{cause.cause.name} ({cause.effect.symptom.value})" for cause in thing.against)
        yield f"{number}. {thing.help.words}"
        yield f"   Fixes {listing(causes)}."
    yield "`rebalance why CAUSE` explains a cause."


def _first(things: Sequence[_Thing]) -> list[_Thing]:
    """Return the first fixes; each removes a cause that those before it do not."""
    chosen: list[_Thing] = []
    met: set[str] = set()
    for thing in things:
        names = {one.cause.name for one in thing.against}
        if len(chosen) < MOST and names - met:
            chosen.append(thing)
            met |= names
    return chosen


def _known(remedy: Help, question: Asked) -> bool:
    """Return whether the fix applies to that client.

    A claim about the fix must cover the client, or no claim is about the fix.
    """
    return not remedy.claims or any(covers(by_id(name), question) for name in remedy.claims)
