"""Rebalances on the thread that calls ``resume()``, concurrent with the rebalance thread's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import IN, OUT
from rebalance_proofs.recorded.cluster.effects import Asked, Round, keep, shown
from rebalance_proofs.recorded.cluster.names import queue
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.codes import LIST
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Ask, EntryGone, Resumed, Starting

Shown = tuple[tuple[str, object], ...]
"""Effects of a rebalance on one queue, in order, each with its detail (such as an offset)."""


@dataclass
class Beside:
    """Concurrent rebalances of ``resume()`` and of the rebalance thread.

    They are checked together, because events do not name the rebalance that they belong to.
    """

    rounds: dict[str, Round] = field(default_factory=dict)
    """Topic -> effects of its concurrent rebalances, merged."""
    called: bool = False
    running: bool = False

    def begins(self, current: Round | None) -> None:
        """Begin a call of ``resume()``.

        ``current`` is the rebalance that the rebalance thread is executing.
        """
        self.called = self.running = True
        if current:
            current.beside.append(frozenset(current.allocate.result or ()))
            self.rounds[current.allocate.topic] = current

    def under_way(self, event: Event) -> bool:
        """Return True if the event can still belong to the concurrent rebalances.

        Later the rebalance thread starts a new rebalance.
        """
        if self.running and not self.called:
            thread = isinstance(event, Ask) and event.code == LIST
            self.running = not (thread or isinstance(event, (Allocate, Starting)))
        if isinstance(event, Resumed):
            self.called = False
        return self.running

    def reads(self, event: Event, known: Asked, table: dict[str, str], *, closing: bool) -> None:
        """Process one more event of the concurrent rebalances. Raises ``Unexplained``."""
        if isinstance(event, Allocate) and event.error is None:
            held = frozenset(q for q in table if queue(q).topic == event.topic)
            one = self.rounds.setdefault(event.topic, Round(event, had=held))
            one.beside.append(frozenset(event.result or ()))
        effect = shown(event, known)
        if effect is None:
            return
        q, name, detail = effect
        if name in (IN, OUT) and not (isinstance(event, EntryGone) and event.how == "clear"):
            keep(table, event, q, closing=closing)
        if queue(q).topic in self.rounds:
            self.rounds[queue(q).topic].seen[q].append((event, name, detail))
        elif name == IN:
            raise Unexplained(event, f"{q} was added to the table outside a rebalance of its topic")

    def over(self) -> Iterator[Round]:
        """Yield the merged rebalances of all topics when ``resume()`` has ended."""
        yield from self.rounds.values()
        self.rounds = {}


def together(seen: Shown, runs: Sequence[frozenset[Shown]], *, whole: bool) -> bool:
    """Return True if the effects ``seen`` are an interleaving of several rebalances' effects.

    ``runs`` has the possible effects of each rebalance. If not ``whole``, the recording does not contain the ends of
    the rebalances.
    """
    begun: set[tuple[Shown, ...]] = {((),) * len(runs)}
    for effect in seen:
        longer = {
            (*one[:place], (*one[place], effect), *one[place + 1 :]) for one in begun for place in range(len(runs))
        }
        begun = {
            one
            for one in longer
            if all(any(run[: len(part)] == part for run in of) for part, of in zip(one, runs, strict=True))
        }
    return any(not whole or all(part in of for part, of in zip(one, runs, strict=True)) for one in begun)
