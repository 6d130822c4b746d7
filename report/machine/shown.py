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
from rebalance_proofs.report.again import Again, of_timed_runs
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
    by_claim: Callable[[Claim], Configuration[S, C, L, V]] | None = None
    """The claim's own configuration, where there are several, of one record of a state."""
    changed: Callable[[Run[S, L], Sequence[S], Sequence[S]], str] = lambda run, before, after: ""
    """``changed(run, before, after)``: what an action has changed in the states of all copies, behind its sentence."""

    def configured(self, claim: Claim) -> Configuration[S, C, L, V]:
        """The claim's."""
        return self.by_claim(claim) if self.by_claim else self.configuration

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
            kind = "Str" if how.codes else "Bool" if field in known and not how.number else "Int"
            found[name] = f"Seq({kind})" if self._of_each(field) else kind
        return found

    def _of_each(self, field: str) -> bool:
        """Each copy has one of its own."""
        return self.configuration.copies > 1 and field not in shared(self.configuration.machine.state)

    def facts(self, states: Sequence[S], *, nones: bool = False) -> dict[str, Any]:
        """Their values, where the copies are so. Who is named is so as the first copy sees it.

        ``nones``: what stands for none is None.
        """
        known, found = variables(self.configuration.machine.state), dict[str, Any]()
        for name, (field, _, how) in self._variables.items():
            values: list[Any] = [how.of(state) if how.of else getattr(state, field) for state in states]
            told = [how.codes[value] if how.codes else value for value in values]
            if how.none is not None:
                told = [(None if nones else how.none) if value == known[field].none else value for value in told]
            found[name] = told if self._of_each(field) else told[0]
        return found

    def things(self, example: Counterexample) -> Iterator[Thing]:
        """How people are shown them: copy by copy, then party by party, in the order of the declaration."""
        known, record = flags(self.configuration.machine.state), self.configuration.machine.state
        if self.configuration.copies > 1:
            for place, colour in enumerate((FIRST, SECOND)):
                for name, (field, meaning, how) in self._variables.items():
                    if self._of_each(field):
                        owner = yes(colour) if field in known else _owner(how)
                        told = how.meaning or meaning
                        yield Thing(name, how.label, NAMES[place], place, _words(how), owner, told)
        for party in self.parties:
            for name, (field, meaning, how) in self._variables.items():
                if (how.party or self.parties[0]) == party and not self._of_each(field):
                    thing = Thing(name, how.label, party, words=_words(how), meaning=how.meaning or meaning)
                    owner = yes(FIRST) if field in known and not how.number else _owner(how)
                    twins = field in naming(record) and example.group.world.twins
                    yield _named(thing, twins=twins) if field in naming(record) else replace(thing, owner=owner)

    def lines(self, claim: Claim, example: Counterexample) -> tuple[str, ...]:
        """The story."""
        run: Run[S, L] = example.group
        told = self.story(run, self.configured(claim))
        return (self.given(run), *told, example.sentence[0].upper() + example.sentence[1:])

    def story(self, run: Run[S, L], of: Configuration[S, C, L, V] | None = None) -> tuple[str, ...]:
        """A line an action."""
        of = of or self.configuration
        befores = (self._first(run), *(seen.states for seen in run.seen))
        timed, told = bool(of.clock), []
        for place, (seen, before) in enumerate(zip(run.seen, befores, strict=False), start=1):
            changed = self.changed(run, before, seen.states)
            words = self._deed(of, run, seen, before) + (f" ({changed})" if changed else "")
            told.append(f"{f'{clock(seen.at)}:' if timed else f'{place}.'} {words}.")
        return tuple(told)

    def _first(self, run: Run[S, L]) -> tuple[S, ...]:
        return (run.first,) * self.configuration.copies

    def _deed(self, of: Configuration[S, C, L, V], run: Run[S, L], seen: Seen[S], before: Sequence[S]) -> str:
        """Of several copies with the name of the one in the place of ``{}``."""
        done, who = of.machine.actions.get(seen.happens.action), of.acting(seen.happens)
        if done is None:
            return self.observes
        choices = of.chosen(seen.happens, run.limits)
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
        return {
            **at,
            "action": seen.happens.action,
            "said": dict(seen.happens.said),
            **self.facts(seen.states, nones=True),
        }

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        """The trace's, before the first action and after each."""
        run: Run[S, L] = example.group
        of = self.configured(claim)
        told = ((self._named(of, seen.happens), seen.at, seen.states) for seen in run.seen)
        steps, clock = [("begin", 0, self._first(run)), *told], self.configuration.clock
        return [{"action": name, **dict.fromkeys(clock, at), **self.facts(states)} for name, at, states in steps]

    def _named(self, of: Configuration[S, C, L, V], happens: Happens) -> str:
        """``X locks``; of one copy in a trace without a clock with what it leaves open: ``takes (old)``."""
        told, words = ", ".join(name for name, value in happens.said if value), of.words(happens)
        return f"{words} ({told})" if told and not of.clock and of.copies == 1 else words


def _owner(how: Shown) -> Callable[[Any], str]:
    """Whose a number is: nobody's where it stands for none."""
    if how.none is not None:
        return lambda value: NONE if value == how.none else PLAIN
    return (lambda value: PLAIN) if how.words else yes(PLAIN)


def _words(how: Shown) -> Callable[[Any], str]:
    def words(value: Any) -> str:
        if how.none is not None and value == how.none:
            return "none"
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

    def again(claim: Claim) -> Again:
        of = telling.configured(claim)
        return of_timed_runs(timed_runs(of), of.opens, () if of.clock else tuple(vars(of.examples).values()))

    return runs.shown(
        places,
        about,
        lambda claim: timed_runs(telling.configured(claim)).smallest(claim),
        none,
        around,
        lines=telling.lines,
        document=telling.document,
        types=telling.types,
        states=telling.states,
        things=telling.things,
        again=Again(
            lambda claim, example: again(claim).recipe(claim, example),
            lambda claim, whole, steps: again(claim).run(claim, whole, steps),
        ),
        **drawn,
    )
