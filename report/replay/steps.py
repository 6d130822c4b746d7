"""Print the steps of a counterexample: as lines of text, or as one screen for each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.claims.played import played
from rebalance_proofs.report.claims.seen import seen
from rebalance_proofs.report.claims.steps import Played, Step, Value
from rebalance_proofs.report.in_brief import recorded
from rebalance_proofs.report.kinds import shown
from rebalance_proofs.report.names import readable
from rebalance_proofs.report.text.english import count
from rebalance_proofs.report.text.wrapping import wrapped


@dataclass(frozen=True)
class Line:
    """A line of text on the screen."""

    words: str
    marked: bool = False
    """Whether the line shows a changed value."""


def steps(claim: Claim, example: Counterexample) -> Played:
    """Return a counterexample's steps: as on the HTML page, else one for each consumer or line of text."""
    kind = shown(claim)
    found = played(claim, example) or (kind.turns(example) if kind.turns else None)
    if found:
        return found
    first, *others, wrong = ("Initial state.", *kind.lines(claim, example))
    return Played((), Step(first, None, ()), tuple(Step(line, None, ()) for line in others), wrong)


def heading(claim: Claim, run: Played, states: int) -> Iterator[str]:
    """Yield lines about the replayed claim. ``states`` is the number of its trace's states.

    0 without a trace.
    """
    agreed = f"; {count(states, 'state')} of the trace agreed" if states else ""
    yield f"{claim.id} does not hold."
    yield f"  {readable(claim.sentence).rstrip('.')}."
    yield f"  {count(len(run.steps), 'step')}, replayed on the modelled client code{agreed}."
    yield f"  Real clients: {recorded(seen(claim))}."


def lines(run: Played) -> Iterator[str]:
    """Yield all steps: the first step with all values, the others with the values that changed."""
    for number, step in enumerate(run.everything):
        yield f"{number:>3}. {_said(step)}"
        yield from (f"     {line.words}" for line in _values(run, step) if line.marked or not number)
    yield f"     {run.wrong}"


def screen(head: Sequence[str], run: Played, at: int, width: int) -> list[Line]:
    """Return the screen of step ``at``, with all values after the step.

    Step 0 is the initial state. The heading comes last, because readers need it least if the screen is too small.
    """
    step = run.everything[at]
    found = [Line(line) for line in wrapped(f"{at} of {len(run.steps)}: {_said(step)}", width)]
    found += [
        Line(""),
        *(replace(one, words=line) for one in _values(run, step) for line in wrapped(one.words, width)),
    ]
    if at == len(run.steps):
        found += [Line(""), *(Line(line) for line in wrapped(run.wrong, width))]
    return [*found, Line(""), *(Line(line) for part in head for line in wrapped(part, width))]


def _said(step: Step) -> str:
    return f"{step.clock}: {step.words}" if step.at is not None else step.words


def _values(run: Played, step: Step) -> Iterator[Line]:
    """Yield a line with owner, name and value of each variable; ``*`` marks a changed value."""
    named = [(party.name, thing.name) for party in run.parties for thing in party.trace_variables]
    whose, what = (max((len(pair[place]) for pair in named), default=0) for place in (0, 1))
    for (party, thing), value in zip(named, step.values, strict=True):
        named_so = f"{party:{whose}}  {thing:{what}}" if whose else f"{thing:{what}}"
        yield Line(f"{_mark(value)} {named_so}  {value.words}", value.changed)


def _mark(value: Value) -> str:
    return "*" if value.changed else " "
