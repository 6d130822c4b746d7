"""The steps of a counterexample for a terminal: as lines of text, or as one screen each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.english import count
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.played import played
from rebalance_proofs.report.seen import seen
from rebalance_proofs.report.steps import Played, Step, Value

__all__ = ["Line", "heading", "lines", "screen", "steps"]


@dataclass(frozen=True)
class Line:
    """Of a screen."""

    words: str
    marked: bool = False
    """It is what has changed."""


def steps(claim: Claim, example: Counterexample) -> Played:
    """As a page plays it; else consumer by consumer; else its story, of which each line is a step."""
    kind = shown(claim)
    found = played(claim, example) or (kind.turns(example) if kind.turns else None)
    if found:
        return found
    first, *others, wrong = ("It begins.", *kind.lines(claim, example))
    return Played((), Step(first, None, ()), tuple(Step(line, None, ()) for line in others), wrong)


def heading(claim: Claim, run: Played, states: int) -> Iterator[str]:
    """What is replayed, and that it was held against the trace; ``states``: so many, 0 where none was."""
    yield claim.id
    yield f"  Does not hold: {readable(claim.sentence).rstrip('.')}."
    agree = f"; {count(states, 'state')} of the trace agree" if states else ""
    agree = agree.replace("agree", "agrees") if states == 1 else agree
    yield f"  {count(len(run.steps), 'step')}, run just now on the client's code as it is modelled{agree}."
    yield f"  {seen(claim).words}"


def lines(run: Played) -> Iterator[str]:
    """All steps; below each what is different after it, and below the first all that there is."""
    for number, step in enumerate(run.everything):
        yield f"{number:>3}. {_said(step)}"
        yield from (f"     {line.words}" for line in _values(run, step) if line.marked or not number)
    yield f"     {run.wrong}"


def screen(head: Sequence[str], run: Played, at: int, width: int) -> list[Line]:
    """One step, with all that is the case after it; ``at``: from 0, the beginning, on.

    What is replayed comes last: where there is no room for all, it is what is missed least.
    """
    step = run.everything[at]
    found = [Line(line) for line in _wrapped(f"{at} of {len(run.steps)}: {_said(step)}", width)]
    found += [
        Line(""),
        *(replace(one, words=line) for one in _values(run, step) for line in _wrapped(one.words, width)),
    ]
    if at == len(run.steps):
        found += [Line(""), *(Line(line) for line in _wrapped(run.wrong, width))]
    return [*found, Line(""), *(Line(line) for part in head for line in _wrapped(part, width))]


def _said(step: Step) -> str:
    return f"{step.clock}: {step.words}" if step.at is not None else step.words


def _values(run: Played, step: Step) -> Iterator[Line]:
    """A thing a line, each under whose it is; ``*`` says that it has changed."""
    named = [(party.name, thing.name) for party in run.parties for thing in party.things]
    whose, what = (max((len(pair[place]) for pair in named), default=0) for place in (0, 1))
    for (party, thing), value in zip(named, step.values, strict=True):
        named_so = f"{party:{whose}}  {thing:{what}}" if whose else f"{thing:{what}}"
        yield Line(f"{_mark(value)} {named_so}  {value.words}", value.changed)


def _mark(value: Value) -> str:
    return "*" if value.changed else " "


def _wrapped(words: str, width: int) -> list[str]:
    """Without losing what it begins with."""
    indent = " " * (len(words) - len(words.lstrip()))
    return wrap(words, max(20, width), subsequent_indent=f"{indent}  ", drop_whitespace=True) or [""]
