"""The ledger: a sequence of all claims, and selection of claims by pattern."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import overload

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.kinds import KINDS, ROOMS
from rebalance_proofs.proofs.named import selected


class Ledger(Sequence[Claim]):
    """All claims, grouped by the first part of their ids (``room``).

    The claims of a group are created on first use.
    """

    def __init__(self) -> None:
        self._rooms: dict[str, Mapping[str, Claim]] = {}

    def of(self, kind: str) -> tuple[Claim, ...]:
        """Return the claims of a kind; none for an unregistered kind."""
        return tuple(claim for room in ROOMS if ROOMS[room] == kind for claim in self.within(room))

    def within(self, room: str) -> Collection[Claim]:
        """Return the claims whose ids begin with ``room``, as in ``allocation``.

        Raises ``KeyError`` if there are none.
        """
        return self._room(room).values()

    def named(self, name: str) -> Claim:
        """Return the claim with this id. Raises ``LookupError`` if there is none."""
        claim = self.find(name)
        if claim is None:
            raise LookupError(f"no claim is called {name!r}")
        return claim

    def find(self, name: str) -> Claim | None:
        """Return the claim with this id; None if there is none."""
        room = name.partition(".")[0]
        return self._room(room).get(name) if room in ROOMS else None

    def _room(self, room: str) -> Mapping[str, Claim]:
        if room not in self._rooms:
            kind = KINDS[ROOMS[room]]
            self._rooms[room] = {claim.id: claim for claim in kind.rooms.get(room, kind.claims)()}
        return self._rooms[room]

    @cached_property
    def _every(self) -> tuple[Claim, ...]:
        return tuple(claim for room in ROOMS for claim in self.within(room))

    @overload
    def __getitem__(self, place: int) -> Claim: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Claim]: ...

    def __getitem__(self, place: int | slice) -> Claim | Sequence[Claim]:
        """Return the claim at the index ``place``, or the claims of a slice."""
        return self._every[place]

    def __iter__(self) -> Iterator[Claim]:
        """Iterate over all claims, in order."""
        return iter(self._every)

    def __len__(self) -> int:
        """Return the number of all claims."""
        return len(self._every)


LEDGER = Ledger()


def select(patterns: Sequence[str], ledger: Sequence[Claim] | None = None) -> tuple[Claim, ...]:
    """Return the claims of ``ledger`` (default: all) that ``patterns`` select.

    ``proofs.named`` describes the patterns. Raises ``UsageError`` for a pattern that selects nothing, and for a claim
    about a strategy without the encoding that the claim needs.
    """
    chosen = _of_few_rooms(patterns) if ledger is None else ()
    chosen = chosen or selected(patterns, LEDGER if ledger is None else ledger)
    for claim in chosen:
        for strategy in claim.subjects:
            # a claim about one fixed case needs no encoding, for example a claim about CONFIG
            if strategy.encoding is None and not claim.world.sized:
                raise UsageError(
                    f"{claim.id} cannot be judged: the strategy {strategy.name!r} has no encoding for the solvers"
                )
    return chosen


def only(claim: str) -> Claim:
    """Return the one claim with that id. Raises ``UsageError``."""
    one, *others = select([claim])
    if others:
        raise UsageError(f"{claim!r} selects {len(others) + 1} claims; name one: `rebalance list '{claim}'` lists them")
    return one


def _of_few_rooms(patterns: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims that id patterns select, from the groups that the patterns name.

    Only claims of these groups are created. Returns nothing if a pattern is not limited to one group.
    """
    rooms = {room if dot else "" for room, dot, _ in (one.partition(".") for one in patterns)}
    if not rooms or not rooms <= ROOMS.keys():
        return ()
    try:
        return selected(patterns, [claim for room in ROOMS if room in rooms for claim in LEDGER.within(room)])
    except UsageError:
        return ()  # only the whole ledger knows the possible names
