"""How reports show claims about allocation strategies: the functions that all reports use."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.proofs.allocation.search import violated
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.report.allocation import atlas, caption, document, figure, sentences
from rebalance_proofs.report.allocation.caption import Assignment, Row, assigned, notes, outcome, told
from rebalance_proofs.report.allocation.chapters import chapters
from rebalance_proofs.report.allocation.enumeration import GROUPS_TOLD
from rebalance_proofs.report.claims.steps import BOTH, FIRST, NOBODY, Party, Played, Step, TraceVariable, Value
from rebalance_proofs.report.names import client, label, set_by_users, shippers, short_label
from rebalance_proofs.report.shown import NotARun, Ran, Recipe, Replayable, Shown, integer
from rebalance_proofs.report.text.english import bracketed, capitalized, group_size, listing

# Play a counterexample group consumer by consumer: its lists, and the queues that it takes.

TAKEN = "The consumers that take the queue, among those that have computed their share."


@dataclass
class _Table:
    """The table that the steps fill: for each queue, the consumers that have taken it so far."""

    readers: list[list[str]]

    def step(self, words: str, before: Sequence[Sequence[str]]) -> Step:
        """Return a step with this text.

        ``before`` has each queue's readers one step earlier, to mark changes.
        """
        values = (
            Value(listing(own) or "no reader", (NOBODY, FIRST)[len(own)] if len(own) < 2 else BOTH, own != was)
            for own, was in zip(self.readers, before, strict=True)
        )
        return Step(words, None, tuple(values))


def turns(example: Counterexample) -> Played:
    """Return the steps of a group; in a comparison, the steps of the reference come first."""
    found, compared = assigned(example.group)
    sides: list[tuple[str, Assignment]] = [("", found)]
    if compared:
        sides = list(zip(compared.titles, (compared.before, compared.after), strict=True))
        if compared.earlier:
            sides = [("at first", compared.earlier), *sides]
    first, *steps = _steps(example, sides)
    readers = tuple(
        TraceVariable("readers", f"queue {place}", place=place, meaning=TAKEN) for place in range(found.queues)
    )
    return Played((Party("", readers),), first, tuple(steps), told(example), whole=False)


def _steps(example: Counterexample, sides: Sequence[tuple[str, Assignment]]) -> Iterator[Step]:
    nobody: list[list[str]] = [[] for _ in example.group.queues]
    said = " ".join(notes(example))
    yield _Table(nobody).step(f"No consumer has computed its share yet.{f' {said}' if said else ''}", nobody)
    last = nobody
    for title, side in sides:
        table = _Table([[] for _ in nobody])
        for number, row in enumerate(side.rows):
            before = last if number == 0 else [list(own) for own in table.readers]
            for queue in row.takes:
                table.readers[queue].append(row.name)
            yield table.step(_says(title, row), before)
        last = table.readers


def _says(title: str, row: Row) -> str:
    sees = f"sees cidAll {bracketed(row.consumer.cid_all)} and mqAll {bracketed(row.sees)}"
    does = [sees, f"runs {label(row.consumer.strategy)}"]
    does += [] if row.consumer.subscribes else ["does not subscribe to the topic"]
    whose = f"{capitalized(title)}: " if title else ""
    return f"{whose}{row.name} {listing([*does, outcome(row)])}."


# Replay a counterexample group: rebuild it from its trace, and run the strategy again.

CONSUMERS, QUEUES = 64, 1024
"""Largest numbers of consumers and queues of a group that can be rebuilt from a trace."""


def _recipe(claim: Claim, example: Counterexample) -> tuple[Recipe, Sequence[Recipe]]:
    return {"consumers": example.consumers, "queues": example.queues, "digits": list(example.values)}, ()


def _run(claim: Claim, whole: Recipe, steps: Sequence[Recipe]) -> Ran:
    n, q, digits = integer(whole, "consumers", 1, CONSUMERS), integer(whole, "queues", 1, QUEUES), whole.get("digits")
    radices = claim.world.radices(n, q)
    if not isinstance(digits, list) or len(digits) != len(radices):
        raise NotARun(f"'digits' needs {len(radices)} numbers for a group of {n} consumers and {q} queues")
    if not all(type(digit) is int and 0 <= digit < radix for digit, radix in zip(digits, radices, strict=True)):
        raise NotARun("'digits' is not the number of a group")
    if not claim.world.admits(n, q, tuple(digits)):
        raise NotARun("'digits' is the number of a group outside the claim's scope")
    group = claim.world.group(claim.subjects, n, q, tuple(digits))
    return Ran(Counterexample(n, q, tuple(digits), group, violated(claim.guarantee, group) or ""))


AGAIN = Replayable(_recipe, _run)

BROKERS = ("5.0.0", "5.3.3", "5.5.0")
"""Releases whose brokers' answers were recorded."""


def recordings(strategy: Strategy) -> dict[tuple[str, str], str]:
    """Return the recorded results that can be compared with the strategy's code.

    The key is (client, part of the model), the value is the client's display name. Unrecorded clients are missing.
    The broker computes the shares of members that pop.
    """
    if strategy in BY_THE_BROKER:
        return {(f"broker {release}", strategy.name): f"broker ({release})" for release in BROKERS}
    return {
        (one.recorded_as or one.name, strategy.name): f"{client(one)} ({one.observed})"
        if one.recorded_as
        else client(one)
        for one in shippers(strategy)
    }


ALLOCATION = Shown(
    families=sentences.FAMILIES,
    family=sentences.family,
    row=sentences.row,
    column=sentences.column,
    cells=sentences.cells,
    about=sentences.about,
    given=sentences.given,
    listed=sentences.listed,
    limits=sentences.limits,
    atlases=atlas.atlases,
    strategies=set_by_users,
    label=short_label,
    code=attrgetter("allocate"),
    smallest=sentences.smallest,
    size=lambda example: group_size((example.consumers, example.queues)),
    lines=lambda claim, example: caption.caption(example),
    figure=lambda claim, example: figure.figure(example, f"figure-{claim.id}"),
    document=lambda claim, example: document.document(example),
    types=document.TYPES,
    states=lambda claim, example: document.states(example),
    turns=turns,
    again=AGAIN,
    recorded=recordings,
    enumeration=GROUPS_TOLD,
    chapters=chapters,
)
