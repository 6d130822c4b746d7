"""A machine's claims and runs as reports show them, by the words of its declaration: story, trace, document, replay."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic

from rebalance_proofs.model.machine.record import C, L, Record, S, Shown, V, flags, variables
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import Happens
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.machine.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import runs, shown
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.things import FIRST, PLAIN, Thing, yes

__all__ = ["Telling", "machine_shown"]


@dataclass(frozen=True, eq=False)
class Telling(Generic[S, C, L, V]):
    """How runs of a machine are told."""

    configuration: Configuration[S, C, L, V]
    given: Callable[[Run[S, L]], str]
    """The first line of a story: whose run it is, and its limits."""
    observes: str = ""
    """What it is to look, in the end; of a machine without a clock nobody does."""
    parties: tuple[str, ...] = ("client",)
    """Whose the variables of the trace are, in the order in which they are shown; else the first one's."""
    limits: Callable[[L], Mapping[str, Any]] = lambda limits: {"limits": vars(limits)}
    """What results.json has of them."""

    @cached_property
    def _variables(self) -> dict[str, tuple[str, str, Shown]]:
        """By name in the trace: the field, what it means, and how it is shown."""
        known = variables(self.configuration.machine.state).items()
        return {one.shown.name or name: (name, one.meaning, one.shown) for name, one in known if one.shown}

    @property
    def types(self) -> dict[str, str]:
        """Of the trace's variables."""
        known = flags(self.configuration.machine.state)
        found = {"action": "Str", **dict.fromkeys(self.configuration.clock, "Int")}
        for name, (field, _, how) in self._variables.items():
            found[name] = "Str" if how.codes else "Bool" if field in known else "Int"
        return found

    def facts(self, state: Record) -> dict[str, Any]:
        """Their values in one state."""
        found = {}
        for name, (field, _, how) in self._variables.items():
            value: Any = how.of(state) if how.of else getattr(state, field)
            found[name] = how.codes[value] if how.codes else value
        return found

    def things(self, example: Counterexample) -> Iterator[Thing]:
        """How people are shown them: party by party, in the order of the declaration."""
        known = flags(self.configuration.machine.state)
        for party in self.parties:
            for name, (field, meaning, how) in self._variables.items():
                if (how.party or self.parties[0]) == party:
                    thing = Thing(name, how.label, party, words=_words(how), meaning=meaning)
                    owner = yes(FIRST) if field in known else thing.owner if how.words else yes(PLAIN)
                    yield replace(thing, owner=owner)

    def lines(self, claim: Claim, example: Counterexample) -> tuple[str, ...]:
        """The story."""
        run: Run[S, L] = example.group
        befores = (run.first, *(seen.state for seen in run.seen))
        timed, told = bool(self.configuration.clock), []
        for place, (seen, before) in enumerate(zip(run.seen, befores, strict=False), start=1):
            told.append(f"{f'{clock(seen.at)}:' if timed else f'{place}.'} {self._deed(run, seen, before)}.")
        return (self.given(run), *told, example.sentence[0].upper() + example.sentence[1:])

    def _deed(self, run: Run[S, L], seen: Seen[S], before: S) -> str:
        done = self.configuration.machine.actions.get(seen.happens.action)
        if done is None:
            return self.observes
        return done.story(before, seen.state, self.configuration.chosen(seen.happens, run.limits), run.client)

    def document(self, claim: Claim, example: Counterexample) -> dict[str, Any]:
        """What it is in results.json."""
        run: Run[S, L] = example.group
        told = {"sentence": example.sentence, "story": list(self.lines(claim, example)), **self.limits(run.limits)}
        return told | {"actions": [self._told(seen) for seen in run.seen]}

    def _told(self, seen: Seen[S]) -> dict[str, Any]:
        at = {"at": seen.at} if self.configuration.clock else {}
        return {**at, "action": seen.happens.action, "said": dict(seen.happens.said), **self.facts(seen.state)}

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        """The trace's, before the first action and after each."""
        run: Run[S, L] = example.group
        steps = [("begin", 0, run.first), *((self._named(seen.happens), seen.at, seen.state) for seen in run.seen)]
        clock = self.configuration.clock
        return [{"action": name, **dict.fromkeys(clock, at), **self.facts(state)} for name, at, state in steps]

    def _named(self, happens: Happens) -> str:
        """In a trace without a clock with what it leaves open: ``takes (old)``."""
        told = ", ".join(name for name, value in happens.said if value)
        return f"{happens.action} ({told})" if told and not self.configuration.clock else happens.action


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
    found, of = timed_runs(telling.configuration), telling.configuration
    limits = None if of.clock else tuple(vars(of.examples).values())
    return runs.shown(
        places,
        about,
        found.smallest,
        none,
        around,
        lines=telling.lines,
        document=telling.document,
        types=telling.types,
        states=telling.states,
        things=telling.things,
        again=of_timed_runs(found, of.opens, limits),
        **drawn,
    )
