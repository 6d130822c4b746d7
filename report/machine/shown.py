"""How reports show claims about a machine (a model of client and broker code) and its runs.

This covers the run in words, as a trace, in results.json, and its replay.

The words come from the machine's declaration.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Generic

from rebalance_proofs.model.machine.copies import ME, NOBODY
from rebalance_proofs.model.machine.page import Words
from rebalance_proofs.model.machine.record import C, L, Record, S, Shown, V, flags, naming, shared, variables
from rebalance_proofs.model.machine.run import NAMES, Happens, Run, Schedule, Seen
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.model.terms import smt
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.machine.configuration import Configuration
from rebalance_proofs.proofs.machine.kind import timed_runs
from rebalance_proofs.proofs.named import truth
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.proofs.timed_search import TimedRuns
from rebalance_proofs.report import shown
from rebalance_proofs.report.claims import runs
from rebalance_proofs.report.claims.steps import BOTH, FIRST, PLAIN, SECOND, TraceVariable, yes
from rebalance_proofs.report.claims.steps import NOBODY as NONE
from rebalance_proofs.report.groups_seen import groups_seen
from rebalance_proofs.report.shown import NotARun, Ran, Recipe, Replayable, integer
from rebalance_proofs.report.text.grouped import clock

# Replay a run of a machine (a model of client and broker code) from the actions in its trace.


def again(configured: Callable[[Claim], Configuration[S, C, L, V]]) -> Replayable:
    """Return the functions that replay the traces of a kind of claims.

    ``configured(claim)`` returns the machine, clients and assumptions of a claim.
    """

    def recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
        timed = bool(configured(claim).clock)
        return {}, [_step(seen, timed=timed) for seen in example.group.seen]

    def run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
        of = configured(claim)
        runs, limits = timed_runs(of), tuple(vars(of.examples).values())
        schedule = tuple(_happens(step, of.opens) for step in steps)
        times = tuple(integer(step, "at") for step in steps) if of.clock else ()
        if not schedule:
            raise NotARun("there is no step")

        def known(count: int) -> tuple[int, ...]:
            return times[:count] if of.clock else limits

        values = known(len(schedule))
        reached = runs.reached(claim.subjects[0].encoding, claim, schedule, list(map(smt.IntVal, values)))
        last, stopped = 0, ""
        for done, possible in enumerate(list(reached.constraints.values())[-len(schedule) :], start=1):
            stopped = _stops(runs, claim, schedule[:done], known(done))
            if schedule[done - 1].action in claim.world.excludes or (not stopped and not truth(possible)):
                stopped = "the claim's assumptions exclude it"
            if stopped:
                break
            last = done
        found = runs.run(claim, schedule[:last], known(last))
        sentence = "" if stopped else claim.guarantee.violation(found) or ""
        return Ran(Counterexample(*runs.around, values, found, sentence, last), stopped)

    return Replayable(recipe, run)


def _stops(runs: TimedRuns, claim: Claim, schedule: Schedule, times: Sequence[int]) -> str:
    """Return why the last action of ``schedule`` cannot follow the others in the model.

    Empty if it can.
    """
    try:
        runs.run(claim, schedule, times)
    except Impossible:
        return "the client's code does not do this at that time"
    except Exception as error:
        # A schedule from outside can call the model's code in states that its actions rule out.
        return f"the client's code cannot do this at that time ({type(error).__name__})"
    return ""


def _step(seen: Any, *, timed: bool) -> Recipe:
    done: Happens = seen.happens
    found = {"who": done.who, "action": done.action, "said": dict(done.said)}
    return found | {"at": seen.at} if timed else found


def _happens(step: Recipe, opens: Mapping[str, Sequence[str]]) -> Happens:
    action, said, who = step.get("action"), step.get("said"), integer(step, "who", 0, 1)
    if not isinstance(action, str) or action not in opens:
        raise NotARun(f"unknown action {action!r}")
    if not isinstance(said, dict) or set(said) != set(opens[action]):
        raise NotARun(f"the action {action!r} has other choices than {', '.join(opens[action]) or 'none'}")
    if not all(type(value) is bool for value in said.values()):
        raise NotARun(f"a choice of the action {action!r} is neither true nor false")
    return Happens(who, action, tuple((name, said[name]) for name in opens[action]))


@dataclass(frozen=True, eq=False)
class Telling(Generic[S, C, L, V]):
    """Settings for reports about runs of a machine.

    A machine can have copies, such as two consumers. A party owns variables, such as a consumer or the broker.
    """

    configuration: Configuration[S, C, L, V]
    words: Words[S, L, Any]
    configured: Callable[[Claim], Configuration[S, C, L, V]]
    """``configured(claim)``: the claim's machine, clients and assumptions.

    All have the same record type of states.
    """

    @cached_property
    def _copies(self) -> Sequence[str]:
        """Names of the copies; empty for a single copy."""
        return NAMES[: self.configuration.copies] if self.configuration.copies > 1 else ()

    def _own(self, field: str) -> bool:
        """Return whether each copy has its own value of the state variable ``field``."""
        return bool(self._copies) and field not in shared(self.configuration.machine.state)

    @cached_property
    def _variables(self) -> dict[str, tuple[str, str, Shown]]:
        """Return trace variable -> (field of the state, meaning, how its values are shown)."""
        known = variables(self.configuration.machine.state).items()
        return {one.shown.name or name: (name, one.meaning, one.shown) for name, one in known if one.shown}

    @property
    def types(self) -> dict[str, str]:
        """Return trace variable -> its type in Apalache's notation."""
        known = flags(self.configuration.machine.state)
        found = {"action": "Str", **dict.fromkeys(self.configuration.clock, "Int")}
        for name, (field, _, how) in self._variables.items():
            kind = "Str" if how.codes else "Bool" if field in known and not how.number else "Int"
            found[name] = f"Seq({kind})" if self._own(field) else kind
        return found

    def facts(self, states: Sequence[Record], *, nones: bool = False) -> dict[str, Any]:
        """Return the values of the trace variables at one moment.

        ``states``: the state of each copy. With ``nones``, absent values are None instead of a number.
        """
        known, found = variables(self.configuration.machine.state), dict[str, Any]()
        for name, (field, _, how) in self._variables.items():
            none = known[field].none
            values = [_value(how, field, state, none) for state in states]
            shown = [how.none if value is None and not nones else value for value in values]
            found[name] = shown if self._own(field) else shown[0]
        return found

    def trace_variables(self, example: Counterexample) -> Iterator[TraceVariable]:
        """Yield the printed trace variables: copy by copy, then party by party, in order of declaration."""
        for place, (copy, colour) in enumerate(zip(self._copies, (FIRST, SECOND), strict=False)):
            yield from self._things(example, self.words.parties[0], copy, place, colour)
        for party in self.words.parties:
            yield from self._things(example, party, party, None, FIRST)

    def _things(
        self, example: Counterexample, party: str, whose: str, place: int | None, colour: str
    ) -> Iterator[TraceVariable]:
        known, named = flags(self.configuration.machine.state), naming(self.configuration.machine.state)
        for name, (field, meaning, how) in self._variables.items():
            if (how.party or self.words.parties[0]) == party and self._own(field) is (place is not None):
                thing = TraceVariable(name, how.label, whose, place, _words(how), meaning=how.meaning or meaning)
                if field in named:
                    yield _named(thing, twins=example.group.world.twins)
                elif how.none is not None:
                    yield replace(thing, owner=partial(_nobody, how.none))
                elif field in known and not how.number:
                    yield replace(thing, owner=yes(colour))
                else:
                    yield thing if how.words else replace(thing, owner=yes(PLAIN))

    def lines(self, claim: Claim, example: Counterexample) -> tuple[str, ...]:
        """Return the counterexample in words: initial situation, a line for each action, violation."""
        run: Run[S, L] = example.group
        told = self.story(run, self.configured(claim))
        return (self.words.given(run), *told, example.sentence[0].upper() + example.sentence[1:])

    def story(self, run: Run[S, L], of: Configuration[S, C, L, V]) -> tuple[str, ...]:
        """Return one line of text for each action of the run."""
        befores, told = ((run.first,) * of.copies, *(seen.states for seen in run.seen)), []
        for place, (seen, before) in enumerate(zip(run.seen, befores, strict=False), start=1):
            words = self._deed(of, run, seen, before)
            told.append(f"{f'{clock(seen.at)}:' if of.clock else f'{place}.'} {words}.")
        return tuple(told)

    def _deed(self, of: Configuration[S, C, L, V], run: Run[S, L], seen: Seen[S], before: Sequence[S]) -> str:
        done, who = of.machine.actions.get(seen.happens.action), of.acting(seen.happens)
        if done is None:
            observes = self.words.observes
            return observes if isinstance(observes, str) else observes(run)
        words = done.story(before[who], seen.states[who], of.chosen(seen.happens, run.limits), run.client)
        words, noted = words.replace("{who}", NAMES[who]), self.words.noted(run, before, seen.states, who)
        return f"{words} ({noted})" if noted else words

    def document(self, claim: Claim, example: Counterexample) -> dict[str, Any]:
        """Return the counterexample's fields in results.json."""
        run: Run[S, L] = example.group
        told = {"sentence": example.sentence, "story": list(self.lines(claim, example)), **self.words.limits(run)}
        return told | {"actions": [self._told(seen) for seen in run.seen]}

    def _told(self, seen: Seen[S]) -> dict[str, Any]:
        at = {"at": seen.at} if self.configuration.clock else {}
        who = {"consumer": seen.happens.who} if self._copies else {}
        facts = self.facts(seen.states, nones=True)
        return {**at, **who, "action": seen.happens.action, "said": dict(seen.happens.said), **facts}

    def states(self, claim: Claim, example: Counterexample) -> list[dict[str, Any]]:
        """Return the states of the trace: the first one, and one after each action."""
        run: Run[S, L] = example.group
        of = self.configured(claim)
        begun = (run.first,) * of.copies
        steps = [("begin", 0, begun), *((self._named(of, seen.happens), seen.at, seen.states) for seen in run.seen)]
        clock = self.configuration.clock
        return [{"action": name, **dict.fromkeys(clock, at), **self.facts(states)} for name, at, states in steps]

    def _named(self, of: Configuration[S, C, L, V], happens: Happens) -> str:
        """Return the name of an action in a trace: ``X takes``.

        With one copy and no clock, it is the action with its true flags: ``takes (old)``.
        """
        told = ", ".join(name for name, value in happens.said if value)
        words = of.words(happens)
        return f"{words} ({told})" if told and not self.configuration.clock and not self._copies else words


def _value(how: Shown, field: str, state: Record, none: int | None) -> Any:
    value: Any = how.of(state) if how.of else getattr(state, field)
    if none is not None and value == none:
        return None
    return how.codes[value] if how.codes else value


def _nobody(none: int, value: Any) -> str:
    return NONE if value == none else PLAIN


def _words(how: Shown) -> Callable[[Any], str]:
    def words(value: Any) -> str:
        if how.none is not None and value == how.none:
            return "none"
        return how.words.get(how.codes.index(value) if how.codes else value, str(value))

    return words


def _named(thing: TraceVariable, *, twins: bool) -> TraceVariable:
    """Return a trace variable that shows copies by their names and colours instead of their numbers."""
    names = {NOBODY: "none"} | ({ME: " or ".join(NAMES)} if twins else dict(enumerate(NAMES, start=ME)))
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
    """Return how reports show a kind of claims about a machine.

    ``none``, ``around`` and ``drawn``: see ``report.claims.runs.shown``.
    """
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
        trace_variables=telling.trace_variables,
        again=again(telling.configured),
        groups=groups_seen,
        **drawn,
    )
