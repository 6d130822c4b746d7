"""The shortest history of calls after which a strategy that depends on earlier calls breaks a guarantee.

In a history, a group changes step by step, and each member is a separate process that is called in each of its steps.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, product
from time import perf_counter

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Consumer, Group, client_ids
from rebalance_proofs.model.own.asked import Refusal
from rebalance_proofs.model.own.call import Call, Outcome
from rebalance_proofs.model.own.names import PLAIN, Names, Naming
from rebalance_proofs.model.queues import MessageQueue, one_broker
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.own.properties import PREFIX, answer_of
from rebalance_proofs.spark_enum.own.repeated import Open
from rebalance_proofs.spark_enum.own.rows import HISTORY as NAME
from rebalance_proofs.spark_enum.own.rows import NEEDED, SENTENCES, Found, Row, Smallest, row_name
from rebalance_proofs.spark_enum.own.spaces import OwnSpace, UnknownGroup
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried
from rebalance_proofs.spark_enum.results import Wrong

HISTORY = replace(AGREED, name=NAME)
"""The world of groups whose members were called before."""
CONSUMERS, LISTS, STEPS = 3, 3, 3
"""The largest number of consumers, of lists of queues, and of steps that are tried."""
SECONDS = 10.0
"""Time limit of the search in seconds."""
FRESH = 2.0
"""The same if each member needs a new process."""


@dataclass(frozen=True)
class Step:
    """The group in one step: indexes of its ids, and the index of its list of queues."""

    ids: tuple[int, ...]
    part: int


@dataclass(frozen=True)
class History:
    """A history in which a guarantee is broken in the last step."""

    names: Names
    steps: tuple[Step, ...]
    groups: tuple[Group, ...]
    """The group of each step; its consumers return their stored results."""
    guarantee: str
    sentence: str


def plain() -> Names:
    """Return names for histories of which the user gives none."""
    parts = tuple(one_broker(count) for count in (4, 3, 5, 2, 1, 8))
    return Names(PLAIN.name, PLAIN.sentence, client_ids(4), parts)


def naming_of(names: Names) -> Naming:
    """Return these names as a kind of names, for keys and sentences."""
    return replace(PLAIN, name=names.name, sentence=names.sentence)


def known_names(kind: str, names: Names | None) -> Names | None:
    """Return the names that the second part of a ``--group`` key names; None if there are none."""
    known = plain() if kind == PLAIN.name else names
    return known if known and known.name == kind else None


def histories(names: Names) -> Iterator[tuple[Step, ...]]:
    """Yield histories with the fewest steps first, and among these with the fewest calls."""
    ids = range(min(CONSUMERS, len(names.ids)))
    sets = [chosen for size in range(1, len(ids) + 1) for chosen in combinations(ids, size)]
    steps = [Step(chosen, part) for chosen in sets for part in range(min(LISTS, len(names.parts)))]
    for length in range(1, STEPS + 1):
        every = product(steps, repeat=length)
        few = every if length > 2 else sorted(every, key=_cost)
        yield from (one for one in few if all(before != after for before, after in pairwise(one)))


def _cost(steps: tuple[Step, ...]) -> tuple[int, ...]:
    return sum(len(one.ids) for one in steps), *(one.part for one in steps)


class _Calls:
    """Results of members after their own earlier calls; each needs one process, and is computed once."""

    def __init__(self, names: Names, open_: Open, open_too: ExitStack) -> None:
        self._names, self._open = names, open_
        worker = open_too.enter_context(open_(0))
        self.renewed = getattr(worker, "renewed", lambda: None)()
        self._known: dict[tuple[int, tuple[Step, ...]], Outcome | None] = {}

    def result(self, member: int, steps: tuple[Step, ...]) -> Outcome | None:
        """Return the member's result in its last step; None if no call was made."""
        mine = tuple(step for step in steps if member in step.ids)
        if (member, mine) not in self._known:
            outcomes = self._made([_call(self._names, member, step) for step in mine])
            self._known[member, mine] = outcomes[-1] if len(outcomes) == len(mine) else None
        return self._known[member, mine]

    def _made(self, calls: Sequence[Call]) -> list[Outcome]:
        if self.renewed is not None:
            return list(self.renewed.answers(calls))
        with self._open(0) as worker:
            return worker.answers(calls)


def _call(names: Names, member: int, step: Step) -> Call:
    return Call(PLAIN.consumer_group, names.ids[member], names.parts[step.part], _ids(names, step))


def _ids(names: Names, step: Step) -> tuple[str, ...]:
    return tuple(names.ids[place] for place in step.ids)


def history_of(names: Names | None, guarantees: Sequence[Guarantee], open_: Open) -> History | None:
    """Return the shortest history found that breaks a guarantee, as separate processes reproduce it."""
    names = names or plain()
    with ExitStack() as open_too:
        calls = _Calls(names, open_, open_too)
        until = perf_counter() + (SECONDS if calls.renewed is not None else FRESH)
        for steps in histories(names):
            if perf_counter() > until:
                return None
            group = _group(names, steps, calls)
            if group and _broken(group, guarantees):
                found = replayed(names, steps, guarantees, open_)
                if found:
                    return found
    return None


def replayed(names: Names, steps: tuple[Step, ...], guarantees: Sequence[Guarantee], open_: Open) -> History | None:
    """Return the history as separate processes of the members compute it; None if it breaks no guarantee."""
    outcomes: dict[tuple[int, int], Outcome] = {}
    for member in sorted({member for step in steps for member in step.ids}):
        mine = [number for number, step in enumerate(steps) if member in step.ids]
        with open_(0) as worker:
            made = worker.answers([_call(names, member, steps[number]) for number in mine])
        outcomes |= {(number, member): outcome for number, outcome in zip(mine, made, strict=False)}
    if len(outcomes) < sum(len(step.ids) for step in steps):
        return None
    groups = tuple(
        _of(names, step, [outcomes[number, member] for member in step.ids]) for number, step in enumerate(steps)
    )
    broken = _broken(groups[-1], guarantees)
    return History(names, steps, groups, *broken) if broken else None


def _group(names: Names, steps: tuple[Step, ...], calls: _Calls) -> Group | None:
    outcomes = [calls.result(member, steps) for member in steps[-1].ids]
    return None if None in outcomes else _of(names, steps[-1], [one for one in outcomes if one])


def _of(names: Names, step: Step, outcomes: Sequence[Outcome]) -> Group:
    queues, ids = names.parts[step.part], _ids(names, step)
    return Group(
        queues, tuple(Consumer(one, queues, ids, _stored(outcome)) for one, outcome in zip(ids, outcomes, strict=True))
    )


def _stored(outcome: Outcome) -> Strategy:
    def allocate(current_cid: str, mq_all: Sequence[MessageQueue], cid_all: Sequence[str]) -> list[MessageQueue]:
        return answer_of(outcome)

    return Strategy("stored", "stored", "", allocate, None, frozenset())


def _broken(group: Group, guarantees: Sequence[Guarantee]) -> tuple[str, str] | None:
    """Return the name of a broken guarantee, and a sentence about the violation."""
    for consumer in group.consumers:
        try:
            consumer.allocate()
        except Refusal as error:
            return RETURNS, f"The call of {consumer.client_id} {error.instead}."
    results = group.results()
    judged = [one for one in guarantees if one.name in NEEDED or one.name.startswith(PREFIX)]
    found = ((one.name, one.violation(group, results)) for one in judged)
    return next(((name, sentence) for name, sentence in found if sentence), None)


@dataclass(frozen=True)
class HistorySpace(OwnSpace):
    """A history in the form of a space, for rows of the answer."""

    history: History | None = None


def row(history: History, like: OwnSpace) -> tuple[Row, Counterexample]:
    """Return the row of the answer for a history, and its last step as an example."""
    last = history.groups[-1]
    size = len(last.consumers), len(last.queues)
    space = HistorySpace(HISTORY, like.guarantees, naming_of(history.names), size, history=history)
    digits = tuple(digit for step in history.steps for digit in (step.part, len(step.ids), *step.ids))
    wrong = Wrong(size, digits, history.sentence)
    name = row_name(history.guarantee, HISTORY)
    sentences = SENTENCES | {one.name: one.sentence for one in like.guarantees}
    sentence = f"{sentences[history.guarantee]}, also after earlier calls"
    tried = Tried(groups=1, broken={history.guarantee: wrong})
    found = Found(space, tried, 1)
    return Row(name, sentence, HISTORY, (found,), Smallest(space, wrong)), Counterexample(
        *size, digits, last, history.sentence
    )


def steps_of(key: str, names: Names | None) -> tuple[Names, tuple[Step, ...]]:
    """Return the names and the steps of a ``--group`` key such as ``history/plain/2x4/0.1.0.0.2.0.1``.

    For each step the last part has the index of its list of queues, its number of ids, and their indexes. Raises
    ``UnknownGroup``.
    """
    kind, digits = (*key.split("/")[1:2], ""), key.split("/")[-1]
    names = known_names(kind[0], names)
    steps: list[Step] = []
    try:
        numbers = [int(one) for one in digits.split(".")]
        while numbers and names:
            part, count, *rest = numbers
            ids, numbers = tuple(rest[:count]), rest[count:]
            if not ids or len(ids) < count or ids[-1] >= len(names.ids) or part >= len(names.parts):
                raise ValueError(key)
            steps.append(Step(ids, part))
    except ValueError:
        steps = []
    if not names or not steps:
        raise UnknownGroup(f"--group {key!r} is not the name of a history; copy one from the answer of this command")
    return names, tuple(steps)
