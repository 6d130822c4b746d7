"""Lifetimes of consumers and brokers in a recorded run: starts, pauses and ends."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property

from rebalance_proofs.recorded.groups.broker import BrokerStarted
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Delay, Signal
from rebalance_proofs.recorded.groups.member import Gap, Quitting, ShutdownBegin, Started
from rebalance_proofs.recorded.groups.run import DRIVER
from rebalance_proofs.recorded.seen.events import Events
from rebalance_proofs.recorded.seen.times import Times


class Lives(Events):
    """Events of one run, and the lifetimes of its processes."""

    @cached_property
    def joined(self) -> Mapping[str, int]:
        """Consumer -> time at which ``start()`` returned.

        Without consumers whose ``start()`` did not return.
        """
        return {each.who: each.at for each in reversed(self.of(Started))}

    @cached_property
    def left(self) -> Mapping[str, int]:
        """Consumer -> time of its shutdown or of its process's end.

        Without consumers that ran to the end.
        """
        found: dict[str, int] = {}
        for at, who in self._ends():
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def ended(self) -> Mapping[str, int]:
        """Consumer -> time at which its process ended, for those that ended."""
        found: dict[str, int] = {}
        for at, who in [*((each.at, each.who) for each in self.of(Quitting)), *self.killed.items_by_time()]:
            found[who] = min(at, found.get(who, at))
        return found

    @cached_property
    def killed(self) -> Times:
        """Consumer -> times at which its process was killed."""
        return Times((each.of, each.at) for each in self._signals("SIGKILL") if each.of in self.started)

    @cached_property
    def shut_down(self) -> Times:
        """Consumer -> times at which its ``shutdown()`` began."""
        return Times((each.who, each.at) for each in self.of(ShutdownBegin))

    def _ends(self) -> Iterable[tuple[int, str]]:
        yield from self.killed.items_by_time()
        yield from self.shut_down.items_by_time()
        yield from ((each.at, each.who) for each in self.of(Quitting))

    def _signals(self, *names: str) -> list[Signal]:
        return [each for each in self.of(Signal, DRIVER) if each.signal in names]

    @cached_property
    def stopped(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Consumer -> its pauses between SIGSTOP and SIGCONT, as (from, to) in ms."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        since: dict[str, int] = {}
        for each in self._signals("SIGSTOP", "SIGCONT"):
            if each.signal == "SIGSTOP":
                since[each.of] = each.at
            elif each.of in since:
                found[each.of].append((since.pop(each.of), each.at))
        for who, at in since.items():
            found[who].append((at, self.end))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def gaps(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Process -> its pauses as measured by itself, as (from, to) in ms."""
        found: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for each in self.of(Gap):
            found[each.who].append((each.at - each.ms, each.at))
        return {who: tuple(times) for who, times in found.items()}

    @cached_property
    def down(self) -> Mapping[str, tuple[tuple[int, int], ...]]:
        """Broker -> times in which it did not serve requests, as (from, to) in ms."""
        found = {}
        for broker in self.run.brokers:
            begun = [each.at for each in self.of(BrokerStarted, broker)]
            times = []
            for each in self._broker_ends(broker):
                after = [at for at in begun if at > each]
                times.append((each, after[0] if after else self.end))
            found[broker] = tuple(times)
        return found

    def _broker_ends(self, broker: str) -> list[int]:
        told = [each.at for each in self._signals("SIGTERM", "SIGKILL") if each.of == broker]
        return told or [each.at for each in self.of(BrokerEnded, DRIVER) if each.of == broker]

    @cached_property
    def delays(self) -> tuple[tuple[int, int], ...]:
        """Times in which the driver delayed a broker's network traffic, as (from, to) in ms."""
        found, before = [], None
        for each in self.of(Delay, DRIVER):
            if before and before.ms:
                found.append((before.at, each.at + 2 * before.ms))
            before = each
        return (*found, *([(before.at, self.end)] if before and before.ms else []))
