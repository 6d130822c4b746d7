"""Groups with given names: sets of the user's client ids, or of ids that the strategy's code looks for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, combinations, islice

from rebalance_proofs.model.allocation.strategy import Strategy
from rebalance_proofs.model.group import Group
from rebalance_proofs.model.own.asked import Asked
from rebalance_proofs.model.own.call import Refused, Worker
from rebalance_proofs.model.own.names import DERIVED, GROUP, PLAIN_IDS, YOURS, Names, Naming
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.spark_enum.allocation.space import Configuration
from rebalance_proofs.spark_enum.own.repeated import outcomes
from rebalance_proofs.spark_enum.own.rows import Found
from rebalance_proofs.spark_enum.own.spaces import SAME_AS, OwnSpace, UnknownGroup
from rebalance_proofs.spark_enum.own.tried import try_out
from rebalance_proofs.spark_enum.results import Wrong

NONE = Names("", "", (), ())
SETS = 2_000
"""The number of sets of ids from which a limited number of groups is selected."""
ALL = 6
"""The largest number of ids of which all sets are tried in the order of their size."""


@dataclass(frozen=True)
class NamedGroups:
    """A numbered set of groups with given names, like ``allocation.space.Space``.

    The digits of a group are the index of its list of queues, followed by the indexes of its ids.
    """

    names: Names
    most: int = 0
    """The maximum number of groups; 0 for no limit. A limit selects groups from all over the numbered sets."""

    @property
    def sets(self) -> int:
        """The number of sets of ids."""
        return len(self.names.chosen) or 2 ** len(self.names.ids) - 1

    @property
    def groups(self) -> int:
        """The number of groups: each set of ids with each list of queues."""
        return min(self._every, self.most) if self.most else self._every

    @property
    def limited(self) -> bool:
        """True if the limit leaves groups out."""
        return 0 < self.most < self._every

    @property
    def _every(self) -> int:
        return self.sets * len(self.names.parts)

    @cached_property
    def _ordered(self) -> Iterator[tuple[int, ...]]:
        return iter(self.names.chosen or ordered(self.names.ids))

    @cached_property
    def _decoded(self) -> list[tuple[int, ...]]:
        return []

    def decode(self, number: int) -> Configuration:
        """Return the group with that number."""
        place, part = divmod(number, len(self.names.parts))
        if self.limited:
            place = number * (min(self.sets, SETS) - 1) // max(1, self.most - 1)
        missing = place + 1 - len(self._decoded)
        if missing > 0:
            self._decoded.extend(islice(self._ordered, missing))
        return self._configuration(part, self._decoded[place])

    def of_ids(self, chosen: tuple[int, ...]) -> list[Configuration]:
        """Return the groups with these ids, one for each list of queues."""
        return [self._configuration(part, chosen) for part in range(len(self.names.parts))]

    def _configuration(self, part: int, chosen: tuple[int, ...]) -> Configuration:
        return Configuration(len(chosen), len(self.names.parts[part]), (part, *chosen))

    def __iter__(self) -> Iterator[Configuration]:
        return map(self.decode, range(self.groups))


def ordered(ids: Sequence[str]) -> Iterator[tuple[int, ...]]:
    """Yield all sets of ids, as indexes, each once.

    Up to ``ALL`` ids: by size. For more: single ids, all ids, all but one, the ids with a common tag alone and the
    others alone, and then by size.
    """
    every = tuple(range(len(ids)))
    seen: set[tuple[int, ...]] = set()
    if len(ids) > ALL:
        for chosen in _first(ids, every):
            if chosen and chosen not in seen:
                seen.add(chosen)
                yield chosen
    for size in range(1, len(ids) + 1):
        yield from (chosen for chosen in combinations(every, size) if chosen not in seen)


def _first(ids: Sequence[str], every: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    yield from ((one,) for one in every)
    yield every
    yield from (every[:one] + every[one + 1 :] for one in every)
    tags: dict[str, list[int]] = {}
    for place, name in enumerate(ids):
        words = [word for word in re.split(r"[\W_]+", name) if re.search(r"[^\W\d_]", word)]
        for tag in dict.fromkeys([*words, *(word.rstrip("0123456789") for word in words)]):
            tags.setdefault(tag, []).append(place)
    for chosen in tags.values():
        if len(chosen) < len(ids):
            yield tuple(chosen)
            yield tuple(one for one in every if one not in chosen)


@lru_cache(maxsize=8)
def _numbered(names: Names, most: int) -> NamedGroups:
    """Return the groups of these names; the same object again, because it keeps the sets of ids that it decoded."""
    return NamedGroups(names, most)


@dataclass(frozen=True)
class NamedSpace(OwnSpace):
    """The groups of one world with given names."""

    names: Names = NONE
    most: int = 0

    @property
    def space(self) -> NamedGroups:
        """The groups, numbered from 0."""
        return _numbered(self.names, self.most)

    def groups(self, strategy: Strategy, configurations: Sequence[Configuration]) -> list[Group]:
        """Return the groups of these configurations; their consumers run the strategy."""
        both = (strategy, self.other)[: self.world.subjects]
        subjects = tuple(one for one in both if one is not None)
        return [
            self._naming(one).named(self.world.group(subjects, one.consumers, one.queues, ())) for one in configurations
        ]

    def _naming(self, one: Configuration) -> Naming:
        part, *chosen = one.values
        ids, queues = [self.names.ids[place] for place in chosen], self.names.parts[part]
        return replace(self.naming, client_id=ids.__getitem__, queues=lambda count: queues)

    def smaller(self, consumers: int, queues: int) -> OwnSpace:
        """Return some groups of the space, with few and many ids, for checks that take long."""
        return replace(self, most=min(self.space.groups, SOME))

    @property
    def calls(self) -> int:
        """The approximate number of calls of the strategy for all groups of the space."""
        return self.space.groups * (len(self.names.ids) // 2 + 1)

    def done(self, groups: int, expected: int) -> int:
        """Return the number of sets of ids that were tried with all lists of queues."""
        return self.space.sets if groups >= expected else groups // len(self.names.parts)

    def extent(self, groups: int, expected: int) -> str:
        """Return how many of the space's groups were tried: ``tried 15 of 15 groups of your 4 ids``."""
        parts, number = len(self.names.parts), len(self.names.ids)
        whose = f"{'your ' if self.names.ids_given else ''}{number} client id{'s' if number > 1 else ''}"
        if self.space.limited:
            return f"{groups:,} groups of {whose}"
        lists = f", each with {parts} lists of queues" if parts > 1 else ""
        sets = self.space.sets
        what = "group" if sets == 1 else "groups"
        return f"tried {self.done(groups, expected):,} of {_large(sets)} {what} of {whose}{lists}"


SOME = 96
"""Number of groups for which calls are repeated, and compared with those of other names."""


def _large(number: int) -> str:
    return f"{number:,}" if number < 10**12 else f"2^{number.bit_length()} - 1"


def with_names(spaces: Sequence[OwnSpace], names: Sequence[Names]) -> tuple[OwnSpace, ...]:
    """Return the spaces with those of the user's names first, and those of derived names second.

    They are for groups in which all consumers see the same lists. Without such a space there are none.
    """
    like = next((space for space in spaces if space.world.name in (AGREED.name, SAME_AS.name)), None)
    if not like:
        return tuple(spaces)
    first = [named_space(like, one) for one in names if one.name == YOURS]
    second = [named_space(like, one) for one in names if one.name != YOURS]
    return (*first, spaces[0], *second, *spaces[1:])


def named_space(like: OwnSpace, names: Names) -> NamedSpace:
    """Return the space of these names, with the world and the guarantees of another space."""
    none: tuple[str, ...] = ()
    naming = Naming(names.name, names.sentence, GROUP, none.__getitem__, lambda count: ())
    bound = len(names.ids), max(map(len, names.parts))
    return NamedSpace(like.world, like.guarantees, naming, bound, like.other, like.beside, names)


def named_group(key: str, like: OwnSpace, names: Sequence[Names]) -> tuple[NamedSpace, Configuration]:
    """Return the group of ``names`` that a ``--group`` key names: ``agreed/yours/2x8/0.1.3``.

    The last numbers are the index of the list of queues, and those of the ids. ``like``: a space of the key's world.
    Raises ``UnknownGroup``.
    """
    kind = key.split("/")[1]
    found = next((one for one in names if one.name == kind), None)
    if found is None:
        missing = "uses your own names; add --ids, --brokers or --queues FILE"
        raise UnknownGroup(f"--group {key!r} {missing if kind == YOURS else 'uses names that the code no longer has'}")
    parsed = re.fullmatch(r"[a-z-]+/[a-z]+/(\d{1,3})x(\d{1,3})/(\d{1,3}(?:\.\d{1,3})+)", key)
    if parsed:
        part, *chosen = map(int, parsed[3].split("."))
        fits = part < len(found.parts) and chosen == sorted(set(chosen)) and chosen[-1] < len(found.ids)
        if fits and (int(parsed[1]), int(parsed[2])) == (len(chosen), len(found.parts[part])):
            return named_space(like, found), Configuration(len(chosen), len(found.parts[part]), (part, *chosen))
    raise UnknownGroup(f"--group {key!r} is not a group of {found.sentence}")


def is_named(key: str) -> bool:
    """Return whether a ``--group`` key names a group with the user's names, or with names of the code."""
    return key.split("/")[1:2] in [[YOURS], [DERIVED]]


# Leave out derived names that the strategy does not accept, such as a weight without a number.

FORMATS = ("ValueError", "NumberFormatException", "IllegalArgumentException")
"""Exceptions with which code rejects the format of a name."""
LISTS = 3
"""The number of lists of queues for which the name has to be rejected."""


@dataclass(frozen=True)
class Rejected:
    """A client id that the strategy rejects in every group, and what the call does."""

    client_id: str
    what: str


def accepted(spaces: Sequence[OwnSpace], worker: Worker) -> tuple[tuple[OwnSpace, ...], tuple[Rejected, ...]]:
    """Return the spaces without derived ids whose format the strategy rejects, and these ids.

    An id is rejected if its own call throws such an exception alone and beside plain ids, with several lists of queues.
    """
    asked = Asked(worker)  # calls that fail here do not count against the later ones
    every: list[OwnSpace] = []
    rejected: list[Rejected] = []
    for space in spaces:
        invented = isinstance(space, NamedSpace) and not space.names.ids_given and space.world.subjects == 1
        if isinstance(space, NamedSpace) and invented:
            found = [Rejected(one, _what(space, one, asked)) for one in space.names.ids if one not in PLAIN_IDS]
            known = {one.client_id for one in rejected}
            rejected += [one for one in found if one.what and one.client_id not in known]
            lost = {space.names.ids.index(one.client_id) for one in found if one.what}
            chosen = tuple(ids for ids in space.names.chosen if not lost & {*ids})
            every.append(replace(space, names=replace(space.names, chosen=chosen)) if lost else space)
        else:
            every.append(space)
    return tuple(every), tuple(rejected)


def _what(space: NamedSpace, client_id: str, asked: Asked) -> str:
    """Return how the strategy rejects the id; empty if it accepts it in some group."""
    ids = space.names.ids
    place, plain = ids.index(client_id), [ids.index(one) for one in PLAIN_IDS if one in ids]
    said = ""
    if asked.ended:
        return ""
    for chosen in ((place,), tuple(sorted((place, *plain)))):
        some = space.space.of_ids(chosen)[:LISTS]
        every = outcomes(asked, space.groups(asked.strategy, some), space.naming.consumer_group)
        if len(every) < len(some):
            return ""
        for told in every:
            outcome = told[chosen.index(place)]
            if not isinstance(outcome, Refused) or not any(one in outcome.what for one in FORMATS):
                return ""
            said = outcome.what
    return said


# Reduce the groups of given names that break a guarantee: leave out ids as long as it stays broken.
# A group with all queues of a topic is preferred to one with a part of them, or with the retry topic.

MOST = 300
"""The maximum number of groups that are tried for one guarantee."""
SECONDS = 2.0
"""Time limit in seconds for the search of a group with all queues."""


def shrunk(found: Sequence[Found], asked: Asked) -> list[Found]:
    """Return the results with smaller groups of given names, from which no id can be left out."""
    return [_shrunk(one, asked) if isinstance(one.space, NamedSpace) else one for one in found]


def _shrunk(found: Found, asked: Asked) -> Found:
    assert isinstance(found.space, NamedSpace)
    broken = {
        name: _whole(found.space, name, _smaller(found.space, name, wrong, asked), asked)
        for name, wrong in found.tried.broken.items()
    }
    return replace(found, tried=replace(found.tried, broken=broken))


def _smaller(space: NamedSpace, name: str, wrong: Wrong, asked: Asked) -> Wrong:
    left, again = MOST, True
    while again and left > 0:
        again = False
        part, *ids = wrong.digits
        for one in ids if len(ids) > 1 else ():
            rest = [other for other in ids if other != one]
            left -= 1
            if asked.ended or left < 0:
                break
            fewer = Configuration(len(rest), wrong.size[1], (part, *rest))
            less = try_out(space, asked, [fewer]).broken.get(name)
            if less:
                wrong, again = less, True
                break
    return wrong


def _whole(space: NamedSpace, name: str, wrong: Wrong, asked: Asked) -> Wrong:
    """Return the smallest group with all queues of a topic that breaks the guarantee; the same group without one."""
    if wrong.digits[0] >= space.names.whole:
        until = asked.clock() + SECONDS
        for one in islice(_with_whole_topics(space, wrong), MOST):
            if asked.ended or asked.clock() > until:
                break
            if found := try_out(space, asked, [one]).broken.get(name):
                return found
    return wrong


def _with_whole_topics(space: NamedSpace, wrong: Wrong) -> Iterator[Configuration]:
    """Yield groups with all queues of a topic, and as many ids or more; those with the same ids come first."""
    ids, every = wrong.digits[1:], range(len(space.names.ids))
    larger = (chosen for size in range(len(ids), len(every) + 1) for chosen in combinations(every, size))
    for chosen in chain((ids,), larger):
        yield from space.space.of_ids(chosen)[: space.names.whole]
