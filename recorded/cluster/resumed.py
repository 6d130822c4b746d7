"""Rebalances on the thread that calls ``resume()``, concurrent with the rebalance thread."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rebalance_proofs.model.client.effects import IN, OUT
from rebalance_proofs.recorded.cluster.effects import Asked, Round, keep, shown
from rebalance_proofs.recorded.cluster.names import queue
from rebalance_proofs.recorded.cluster.tally import Unexplained
from rebalance_proofs.recorded.groups.codes import LIST
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Ask, EntryGone, Resumed, Starting

__all__ = ["Beside", "Shown", "together"]

Shown = tuple[tuple[str, object], ...]
"""Effects on a queue in order, each with its detail."""


@dataclass
class Beside:
    """Concurrent rebalances of ``resume()`` and the rebalance thread; events do not name their rebalance."""

    rounds: dict[str, Round] = field(default_factory=dict)
    """Topic -> its concurrent rebalances, merged."""
    called: bool = False
    running: bool = False

    def begins(self, current: Round | None) -> None:
        """Begin a call of ``resume()``. ``current``: the rebalance thread's round under way."""
        self.called = self.running = True
        if current:
            current.beside.append(frozenset(current.allocate.result or ()))
            self.rounds[current.allocate.topic] = current

    def under_way(self, event: Event) -> bool:
        """Return True if the event can still belong to these rounds; later the rebalance thread starts a new one."""
        if self.running and not self.called:
            thread = isinstance(event, Ask) and event.code == LIST
            self.running = not (thread or isinstance(event, (Allocate, Starting)))
        if isinstance(event, Resumed):
            self.called = False
        return self.running

    def reads(self, event: Event, known: Asked, table: dict[str, str], *, closing: bool) -> None:
        """Process one more event of these rounds. Raises ``Unexplained``."""
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
        """Yield the rounds when they are over."""
        yield from self.rounds.values()
        self.rounds = {}


def together(seen: Shown, runs: Sequence[frozenset[Shown]], *, whole: bool) -> bool:
    """Return True if the effects are an interleaving of the runs, each in its own order."""
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
