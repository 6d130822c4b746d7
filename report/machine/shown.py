"""A machine's claims and runs as reports show them, by the words of its declaration: story, trace, document, replay."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic

from rebalance_proofs.model.machine.record import C, L, Record, S, Shown, V, flags, variables
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.machine.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import runs, shown
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.things import FIRST, Thing, yes
from rebalance_proofs.report.timed_document import document_of, states_of

__all__ = ["Telling", "machine_shown"]


@dataclass(frozen=True, eq=False)
class Telling(Generic[S, C, L, V]):
    """How runs of a machine are told."""

    configuration: Configuration[S, C, L, V]
    given: Callable[[Run[S, L]], str]
    """The first line of a story: whose run it is, and its limits."""
    observes: str
    """What it is to look, in the end."""
    party: str = "client"
    """Whose the variables of the trace are."""

    @cached_property
    def _variables(self) -> dict[str, tuple[str, str, Shown]]:
        """By name in the trace: the field, what it means, and how it is shown."""
        known = variables(self.configuration.machine.state).items()
        return {one.shown.name or name: (name, one.meaning, one.shown) for name, one in known if one.shown}

    @property
    def types(self) -> dict[str, str]:
        """Of the trace's variables."""
        found, known = {"action": "Str", "now": "Int"}, flags(self.configuration.machine.state)
        for name, (field, _, how) in self._variables.items():
            found[name] = "Str" if how.codes else "Bool" if field in known else "Int"
        return found

    def facts(self, state: Record) -> dict[str, Any]:
        """Their values in one state."""
        values = {name: (getattr(state, field), how.codes) for name, (field, _, how) in self._variables.items()}
        return {name: codes[value] if codes else value for name, (value, codes) in values.items()}

    def things(self, example: Counterexample) -> Iterator[Thing]:
        """How people are shown them, in the order of the declaration."""
        for name, (field, meaning, how) in self._variables.items():
            thing = Thing(name, how.label, self.party, words=_words(how), meaning=meaning)
            yield replace(thing, owner=yes(FIRST)) if field in flags(self.configuration.machine.state) else thing

    def lines(self, claim: Claim, example: Counterexample) -> tuple[str, ...]:
        """The story."""
        run: Run[S, L] = example.group
        befores = (run.first, *(seen.state for seen in run.seen))
        told = (f"{clock(seen.at)}: {self._deed(seen, one)}." for seen, one in zip(run.seen, befores, strict=False))
        return (self.given(run), *told, example.sentence[0].upper() + example.sentence[1:])

    def _deed(self, seen: Seen[S], before: S) -> str:
        done = self.configuration.machine.actions.get(seen.happens.action)
        return done.story(before, seen.state) if done else self.observes


def _words(how: Shown) -> Callable[[Any], str]:
    def words(value: Any) -> str:
        return how.words.get(how.codes.index(value) if how.codes else value, str(value))

    return words


def machine_shown(
    telling: Telling[S, C, L, V],
    places: runs.Places,
    about: Callable[[Claim], str],
    none: str,
    around: str,
    **drawn: Any,
) -> shown.Shown:
    """The reports' record. ``none``, ``around`` and ``drawn``: see ``report.runs.shown``."""
    found = timed_runs(telling.configuration)

    def facts(seen: Seen[S]) -> dict[str, Any]:
        return telling.facts(seen.state)

    return runs.shown(
        places,
        about,
        found.smallest,
        none,
        around,
        lines=telling.lines,
        document=document_of(telling.lines, facts),
        types=telling.types,
        states=lambda claim, example: states_of(telling.facts(example.group.first), facts)(claim, example),
        things=telling.things,
        again=of_timed_runs(found, telling.configuration.opens),
        **drawn,
    )
