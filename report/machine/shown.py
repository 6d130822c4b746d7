"""A machine's claims and runs as reports show them, by the words of its declaration: story, trace, document, replay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic

from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.record import C, L, S, Shown, V, flags, naming, shared, variables
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.happens import NAMES, Happens
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.machine.run import Run, Seen
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report import runs, shown
from rebalance_proofs.report.again import of_timed_runs
from rebalance_proofs.report.clock import clock
from rebalance_proofs.report.things import BOTH, FIRST, PLAIN, SECOND, Thing, yes
from rebalance_proofs.report.things import NOBODY as NONE

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
    more: Callable[[Run[S, L]], Mapping[str, Any]] = lambda run: {}
    """What else it has of a run."""
    changed: Callable[[Run[S, L], Sequence[S], Sequence[S]], str] = lambda run, before, after: ""
    """``changed(run, before, after)``: what an action has changed in the states of all copies, behind its sentence."""

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
            kind = "Str" if how.codes else "Bool" if field in known else "Int"
            found[name] = f"Seq({kind})" if self._of_each(field) else kind
        return found

    def _of_each(self, field: str) -> bool:
        """Each copy has one of its own."""
        return self.configuration.copies > 1 and field not in shared(self.configuration.machine.state)

    def facts(self, states: Sequence[S]) -> dict[str, Any]:
        """Their values, where the copies are so. Who is named is so as the first copy sees it."""
        found = {}
        for name, (field, _, how) in self._variables.items():
            values: list[Any] = [how.of(state) if how.of else getattr(state, field) for state in states]
            told = [how.codes[value] if how.codes else value for value in values]
            found[name] = told if self._of_each(field) else told[0]
        return found

    def things(self, example: Counterexample) -> Iterator[Thing]:
        """How people are shown them: copy by copy, then party by party, in the order of the declaration."""
        known, record = flags(self.configuration.machine.state), self.configuration.machine.state
        if self.configuration.copies > 1:
            for place, colour in enumerate((FIRST, SECOND)):
                for name, (field, meaning, how) in self._variables.items():
                    if self._of_each(field):
                        yield Thing(name, how.label, NAMES[place], place, _words(how), yes(colour), meaning)
        for party in self.parties:
            for name, (field, meaning, how) in self._variables.items():
                if (how.party or self.parties[0]) == party and not self._of_each(field):
                    thing = Thing(name, how.label, party, words=_words(how), meaning=meaning)
                    owner = yes(FIRST) if field in known else thing.owner if how.words else yes(PLAIN)
                    twins = field in naming(record) and example.group.world.twins
                    yield _named(thing, twins=twins) if field in naming(record) else replace(thing, owner=owner)

    def lines(self, claim: Claim, example: Counterexample) -> tuple[str, ...]:
        """The story."""
        run: Run[S, L] = example.group
        return (self.given(run), *self.story(run), example.sentence[0].upper() + example.sentence[1:])

    def story(self, run: Run[S, L]) -> tuple[str, ...]:
        """A line an action."""
        befores = (self._first(run), *(seen.states for seen in run.seen))
        timed, told = bool(self.configuration.clock), []
        for place, (seen, before) in enumerate(zip(run.seen, befores, strict=False), start=1):
            changed = self.changed(run, before, seen.states)
            words = self._deed(run, seen, before) + (f" ({changed})" if changed else "")
            told.append(f"{f'{clock(seen.at)}:' if timed else f'{place}.'} {words}.")
        return tuple(told)

    def _first(self, run: Run[S, L]) -> tuple[S, ...]:
        return (run.first,) * self.configuration.copies

    def _deed(self, run: Run[S, L], seen: Seen[S], before: Sequence[S]) -> str:
        """Of several copies with the name of the one in the place of ``{}``."""
        done, who = self.configuration.machine.actions.get(seen.happens.action), self.configuration.acting(seen.happens)
        if done is None:
            return self.observes
        choices = self.configuration.chosen(seen.happens, run.limits)
        words = done.story(before[who], seen.states[who], choices, run.client)
        return words.replace("{}", NAMES[who])

    def document(self, claim: Claim, example: Counterexample) -> dict[str, Any]:
        """What it is in results.json."""
        run: Run[S, L] = example.group
        told = {"sentence": example.sentence, "story": list(self.lines(claim, example))}
        told |= {**self.more(run), **self.limits(run.limits)}
        return told | {"actions": [self._told(seen) for seen in run.seen]}

    def _told(self, seen: Seen[S]) -> dict[str, Any]:
        at = {"at": seen.at} if self.configuration.clock else {}
        at |= {"consumer": seen.happens.who} if self.configuration.copies > 1 else {}
        return {**at, "action": seen.happens.action, "said": dict(seen.happens.said), **self.facts(seen.states)}

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        """The trace's, before the first action and after each."""
        run: Run[S, L] = example.group
        told = ((self._named(seen.happens), seen.at, seen.states) for seen in run.seen)
        steps, clock = [("begin", 0, self._first(run)), *told], self.configuration.clock
        return [{"action": name, **dict.fromkeys(clock, at), **self.facts(states)} for name, at, states in steps]

    def _named(self, happens: Happens) -> str:
        """In a trace without a clock with what it leaves open: ``takes (old)``."""
        told = ", ".join(name for name, value in happens.said if value)
        words = self.configuration.words(happens)
        return f"{words} ({told})" if told and not self.configuration.clock else words


def _words(how: Shown) -> Callable[[Any], str]:
    def words(value: Any) -> str:
        return how.words.get(how.codes.index(value) if how.codes else value, str(value))

    return words


def _named(thing: Thing, *, twins: bool) -> Thing:
    """Whom a field names, by number; and whose colour that is."""
    names = {NOBODY: "nobody's"} | ({ME: " or ".join(NAMES)} if twins else dict(enumerate(NAMES, start=ME)))
    colours = {ME: BOTH} if twins else dict(enumerate((FIRST, SECOND), start=ME))
    return replace(thing, words=lambda who: names[who], owner=lambda who: colours.get(who, NONE))


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
    limits = () if of.clock else tuple(vars(of.examples).values())
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
