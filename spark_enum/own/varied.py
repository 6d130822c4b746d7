"""Groups whose members have different values of a setting, as during a rollout (``--vary``)."""

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from math import comb
from time import perf_counter

from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Worker
from rebalance_proofs.model.own.names import PLAIN, Names
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.results import Counterexample
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.history import known_names, naming_of, plain
from rebalance_proofs.spark_enum.own.properties import kept
from rebalance_proofs.spark_enum.own.repeated import Open, said
from rebalance_proofs.spark_enum.own.rows import SENTENCES, VARY, Found, Row, Smallest, row_name
from rebalance_proofs.spark_enum.own.spaces import OwnSpace, UnknownGroup
from rebalance_proofs.spark_enum.own.tried import RETURNS, Tried, judged
from rebalance_proofs.spark_enum.results import Wrong

WORLD = replace(AGREED, name=VARY)
CONSUMERS, LISTS = 4, 6
"""The largest number of consumers, and of lists of queues."""
AT_ONCE = 64
SECONDS = 10.0
"""Time limit in seconds, after at least ``AT_ONCE`` groups."""


@dataclass(frozen=True)
class Vary:
    """A setting with its values, and the functions that start processes with them."""

    name: str
    values: tuple[str, ...]
    opens: tuple[Open, ...]


@dataclass(frozen=True)
class Varied:
    """The results for groups whose members have different values."""

    rows: tuple[Row, ...]
    examples: dict[str, Counterexample]
    calls: int
    seconds: float = 0.0
    alike: bool = False
    """True if in no group the value made a difference."""


def configurations(names: Names, values: int) -> Iterator[Configuration]:
    """Yield groups, smallest first: index of the list of queues, indexes of the ids, and of the members' values."""
    ids = range(len(names.ids))
    for size in range(1, min(CONSUMERS, len(ids)) + 1):
        for part in range(min(LISTS, len(names.parts))):
            for chosen in combinations(ids, size):
                for assigned in product(range(values), repeat=size):
                    yield Configuration(size, len(names.parts[part]), (part, *chosen, *assigned))


def number_of(names: Names, values: int) -> int:
    """Return the number of ``configurations``."""
    ids, lists = len(names.ids), min(LISTS, len(names.parts))
    number: int = lists * sum(comb(ids, size) * values**size for size in range(1, min(CONSUMERS, ids) + 1))
    return number


def check_varied(
    vary: Vary, names: Names | None, guarantees: Sequence[Guarantee], only: Configuration | None = None
) -> Varied:
    """Check the guarantees in groups whose members have different values; in one group with ``only``."""
    names = names or plain()
    tried = Tried()
    examples: dict[str, tuple[Wrong, Group]] = {}
    differs, began = False, perf_counter()
    until = began + SECONDS
    with ExitStack() as open_too:
        asked = [_asked(open_too.enter_context(open_(0)), vary, place) for place, open_ in enumerate(vary.opens)]
        every = iter([only]) if only else configurations(names, len(vary.values))
        whole = False
        while not whole and not any(one.gave_up for one in asked) and (not tried.groups or perf_counter() < until):
            some = list(islice(every, AT_ONCE))
            whole = len(some) < AT_ONCE
            groups = [_group(names, one, asked) for one in some]
            told = min(one.ask(groups, PLAIN.consumer_group) for one in asked)
            for number, (one, group) in enumerate(zip(some, groups, strict=True)):
                if number >= told and not any(other.refused(group) for other in asked):
                    break
                tried.groups += 1
                tried.unjudged += not judged(group, [call for other in asked for call in other.refused(group)])
                for name, sentence in _broken(group, asked, guarantees):
                    if name not in examples:
                        wrong = Wrong((one.consumers, one.queues), one.values, sentence)
                        examples[name] = wrong, kept(group, asked)
            whole = whole and told == len(some)
            differs = differs or _differ(some[:told], groups[:told], asked)
        calls = sum(one.calls for one in asked)
        cut = not any(one.gave_up for one in asked)
    expected = 1 if only else number_of(names, len(vary.values))
    alike = whole and not only and not differs
    found = _answer(vary, names, guarantees, tried, examples, calls, expected, cut and tried.groups < expected, alike)
    return replace(found, seconds=perf_counter() - began)


def _asked(worker: Worker, vary: Vary, place: int) -> Asked:
    found = Asked(worker)
    shown = f"{vary.name}={vary.values[place]}"
    found.strategy = replace(found.strategy, name=shown, rocketmq_name=shown)
    return found


def _group(names: Names, one: Configuration, asked: Sequence[Asked]) -> Group:
    part, *rest = one.values
    chosen, assigned = rest[: one.consumers], rest[one.consumers :]
    queues, ids = names.parts[part], tuple(names.ids[place] for place in chosen)
    return Group(
        queues,
        tuple(Consumer(name, queues, ids, asked[at].strategy) for name, at in zip(ids, assigned, strict=True)),
    )


def _broken(group: Group, asked: Sequence[Asked], guarantees: Sequence[Guarantee]) -> Iterator[tuple[str, str]]:
    refused = [call for one in asked for call in one.refused(group)]
    if refused:
        consumer, outcome = refused[0]
        yield RETURNS, f"The call of {consumer.client_id} ({consumer.strategy.name}) {outcome.what}."
    if judged(group, refused):
        results = group.results()
        for guarantee in guarantees:
            if sentence := guarantee.violation(group, results):
                yield guarantee.name, sentence


def _differ(some: Sequence[Configuration], groups: Sequence[Group], asked: Sequence[Asked]) -> bool:
    """Return whether a member has two results in groups that differ in the values only."""
    known: dict[tuple[int, ...], object] = {}
    for one, group in zip(some, groups, strict=True):
        for place, consumer in enumerate(group.consumers):
            whose = next(other for other in asked if other.strategy is consumer.strategy)
            with_lists = (*one.values[: one.consumers + 1], place)
            outcome = said(whose.outcome(consumer))
            if known.setdefault(with_lists, outcome) != outcome:
                return True
    return False


def _answer(
    vary: Vary,
    names: Names,
    guarantees: Sequence[Guarantee],
    tried: Tried,
    examples: dict[str, tuple[Wrong, Group]],
    calls: int,
    expected: int,
    cut: bool,
    alike: bool,
) -> Varied:
    bound = min(CONSUMERS, len(names.ids)), max(map(len, names.parts))
    space = OwnSpace(WORLD, tuple(guarantees), naming_of(names), bound)
    whose = f"if each member has {' or '.join(f'{vary.name}={value}' for value in vary.values)}"
    rows, shown = [], {}
    for name, sentence in [(RETURNS, SENTENCES[RETURNS]), *((one.name, one.sentence) for one in guarantees)]:
        row = row_name(name, WORLD)
        wrong = examples.get(name)
        unjudged = 0 if name == RETURNS else tried.unjudged
        mine = replace(tried, broken={name: wrong[0]} if wrong else {}, unjudged=unjudged)
        found = Found(space, mine, expected, cut)
        rows.append(Row(row, f"{sentence}, {whose}", WORLD, (found,), Smallest(space, wrong[0]) if wrong else None))
        if wrong:
            n, q = wrong[0].size
            shown[row] = Counterexample(n, q, wrong[0].digits, wrong[1], wrong[0].sentence)
    return Varied(tuple(rows), shown, calls, alike=alike)


def varied_group(key: str, names: Names | None, values: int) -> tuple[Names, Configuration]:
    """Return the names and the group of a ``--group`` key such as ``vary/plain/2x4/0.0.1.0.1``.

    Raises ``UnknownGroup``.
    """
    parsed = re.fullmatch(r"vary/([a-z]+)/(\d{1,3})x(\d{1,3})/(\d{1,3}(?:\.\d{1,3})+)", key)
    known = known_names(parsed[1], names) if parsed else None
    if parsed and known:
        size, (part, *rest) = int(parsed[2]), map(int, parsed[4].split("."))
        ids, assigned = rest[:size], rest[size:]
        fits = len(assigned) == size and ids == sorted({*ids}) and part < len(known.parts)
        if fits and max(ids) < len(known.ids) and max(assigned) < values and len(known.parts[part]) == int(parsed[3]):
            return known, Configuration(size, int(parsed[3]), (part, *ids, *assigned))
    raise UnknownGroup(f"--group {key!r} is not a group of --vary; copy one from the answer of this command")
