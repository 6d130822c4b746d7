"""A broker's list of a group's members, from ConsumerManager, ConsumerGroupInfo and their callers.

One member X with up to two connections, one other member Y, one broker. ``ConsumerGroupInfo.channelInfoTable`` has an
entry for each channel with the time of its last heartbeat; ``ConsumerManager.consumerTable`` drops a group without
channels. Time is in ticks; each clock stops one tick after the last value that matters.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

OPEN, CLOSING, UNKNOWN, ENDED = "open", "closing", "ended, and the broker does not know", "ended"


class State(NamedTuple):
    x: str = "new"  # new, alive, stopped (its process runs), gone
    ends: tuple[str, ...] = ()  # X's connections, oldest first
    table: tuple[int | None, ...] = ()  # ticks since the last heartbeat of each connection's channel, if listed
    y: bool = False
    found: bool | None = None  # a heartbeat is being registered: whether its record is still in consumerTable
    unregistering: bool = False
    died: bool = False
    threw: bool = False
    known: bool = False
    greets: bool = False  # onChannelActive is about to send a heartbeat
    beat: int = 0  # ticks since X's last heartbeat
    since: int = 0  # ticks since the last change
    scan: int = 0
    sent: int = 0
    untold: int | None = None  # ticks since a change of X's channels of which Y was not notified
    waiting: bool | None = None  # consumerChannelMap: whether the group's list in it contains Y
    copied: tuple[bool | None] | None = None  # processMap

    @property
    def listed(self) -> int:
        return sum(age is not None for age in self.table)

    @property
    def latest(self) -> bool:
        return bool(self.table) and self.table[-1] is not None


class Registry:
    """All steps of member and broker; ``assumed``: names of assumptions, which exclude steps or bound waiting."""

    def __init__(
        self,
        assumed: Collection[str] = (),
        *,
        beat: int = 1,
        expired: int = 2,
        scan: int = 1,
        collect: int = 1,
        greets: bool = False,  # from 5.2: MQClientInstance.onChannelActive
        stops: bool = False,  # from 5.3.2: start() shuts down if it throws
        shares: bool = True,  # up to 5.5.0: one ClientChannelInfo for all groups of a heartbeat
        horizon: int = 0,
        throws: bool = True,
        tells: bool = True,
    ) -> None:
        self.assumed, self.expired, self.shares = frozenset(assumed), expired, shares
        self.greets, self.stops = greets, stops
        self.horizon = horizon  # clocks of ``since`` and ``untold`` stop there
        self.throws, self.tells = throws, tells  # whether start() may throw, and whether notifications matter
        timed = self.assumed
        self.beat = beat if "heartbeats" in timed else None
        self.scan = scan if "scans" in timed else None
        self.collect = collect if "sends" in timed else None
        self.off, self.later_told = "off" in timed, "collects" in timed

    def later(self, s: State) -> State | None:
        """One tick; registering, unregistering and sending take no time."""
        if s.found is not None or s.copied is not None or s.unregistering:
            return None
        if "closes-at-once" in self.assumed and CLOSING in s.ends:
            return None
        if "greets-at-once" in self.assumed and s.greets:
            return None
        if self.beat is not None and s.x == "alive" and s.beat >= self.beat:
            return None
        if self.scan is not None and s.scan >= self.scan:
            return None
        if self.collect is not None and s.sent >= self.collect:
            return None
        return s._replace(
            table=tuple(age if age is None else min(age + 1, self.expired + 1) for age in s.table),
            beat=min(s.beat + 1, self.beat or 0),
            scan=min(s.scan + 1, self.scan or 0),
            sent=min(s.sent + 1, self.collect or 0),
            since=min(s.since + 1, self.horizon),
            untold=s.untold if s.untold is None else min(s.untold + 1, self.horizon),
        )

    def after(self, s: State) -> Iterator[tuple[str, State]]:
        if self.later_told:
            yield from self._sends(s)
        if s.copied is not None and "whole" in self.assumed:
            return
        yield from self._member(s)
        yield from self._heartbeats(s)
        if s.found is None or "alone" not in self.assumed:
            yield from self._broker(s)

    @staticmethod
    def _sends(s: State) -> Iterator[tuple[str, State]]:
        """DefaultConsumerIdsChangeListener.notifyConsumerChange: copy the map, replace it, and send the copy."""
        if s.copied is None:
            yield "copies", s._replace(copied=(s.waiting,))
        else:
            yield "sends", s._replace(copied=None, waiting=None, sent=0, untold=None if s.copied[0] else s.untold)

    def _member(self, s: State) -> Iterator[tuple[str, State]]:
        has, alive = self.assumed, s.x == "alive"
        running = s.x in ("alive", "stopped")
        if s.x == "new":
            yield "starts", s._replace(x="alive", ends=(OPEN,), table=(None,), greets=self.greets, beat=0, since=0)
        if alive and self.throws and not s.threw:
            threw = s._replace(threw=True, since=0)
            yield "start() throws", threw._replace(x="stopped", unregistering=True) if self.stops else threw
        if alive:
            yield "shuts down", s._replace(x="stopped", unregistering=True, since=0)
        if s.unregistering and "unregister-arrives" not in has:
            yield "unregister lost", s._replace(unregistering=False)
        if running and not (s.unregistering and "unregister-arrives" in has):
            died = s.died or alive
            gone = s._replace(x="gone", died=died, greets=False, unregistering=False, since=0 if alive else s.since)
            is_open = s.ends[-1] == OPEN
            yield "dies", gone._replace(ends=(*s.ends[:-1], CLOSING if is_open else s.ends[-1]))
            if "closes-at-once" not in has:
                yield "vanishes", gone._replace(ends=(*s.ends[:-1], UNKNOWN if is_open else s.ends[-1]))
        noticed = "closes-first" not in has or not s.listed
        if alive and s.found is None and len(s.ends) < 2 and "stays-connected" not in has and noticed:
            old = UNKNOWN if s.ends[-1] == OPEN else s.ends[-1]
            yield (
                "reconnects",
                s._replace(ends=(*s.ends[:-1], old, OPEN), table=(*s.table, None), greets=self.greets, since=0),
            )

    def _heartbeats(self, s: State) -> Iterator[tuple[str, State]]:
        """ConsumerManager.registerConsumer: it finds or creates the group's record, then ``updateChannel``.

        Heartbeats that come late, from another group or from before a shutdown are registered in one step.
        """
        if not s.ends:
            return
        newest, has = len(s.ends) - 1, self.assumed
        if s.x == "alive" and s.ends[-1] == OPEN and s.found is None:
            yield "finds", s._replace(found=True)
        if s.found is not None:
            if s.found:
                then = self._put(s, newest)._replace(known=True)
            else:  # the record has left the table; ClientChannelInfo may be shared with another group's record
                shared = self.shares and s.latest
                table = (*s.table[:-1], 0) if shared else s.table
                then = s._replace(table=table, waiting=False if self.later_told else s.waiting)
            since = s.since if s.x == "alive" else 0
            yield "puts", then._replace(found=None, greets=False, beat=0, since=since)
        if s.found is not None and "alone" in has:
            return
        for i, end in enumerate(s.ends):
            old = i < newest
            ended = end in (UNKNOWN, ENDED) and (s.known or newest) and s.found is None
            if "in-order" not in has and (old or ended):
                beat = s.beat if old else 0
                known = s.known or not old
                yield f"late heartbeat {i}", self._put(s, i)._replace(since=0, beat=beat, known=known)
        if s.x == "stopped" and s.ends[-1] == OPEN and s.found is None:
            if "none-in-flight" not in has:
                yield "heartbeat from before", self._put(s, newest)._replace(since=0, beat=0, known=True)
            if s.latest and "last" not in has:
                yield "refreshes", s._replace(table=(*s.table[:-1], 0) if self.shares else s.table)

    def _put(self, s: State, i: int) -> State:
        new = s.table[i] is None
        s = s._replace(table=(*s.table[:i], 0, *s.table[i + 1 :]))
        return self._change(s, own=True) if new else s

    def _change(self, s: State, *, own: bool) -> State:
        """The event CHANGE: DefaultConsumerIdsChangeListener notifies all channels, now or later."""
        if self.off:
            return self._unheard(s, own)
        if self.later_told:
            return self._unheard(s, own)._replace(waiting=s.y)
        return s._replace(untold=None)

    def _unheard(self, s: State, own: bool) -> State:
        return s._replace(untold=0) if own and s.y and s.untold is None and self.tells else s

    @staticmethod
    def _emptied(s: State) -> State:
        """Remove the record from consumerTable if it has no channel; a heartbeat may have found it before."""
        return s._replace(found=False) if s.found and not s.y and not s.listed else s

    def _removed(self, s: State, i: int, *, told: bool = True) -> State:
        listed = s.table[i] is not None
        s = self._emptied(s._replace(table=(*s.table[:i], None, *s.table[i + 1 :])))
        if not listed:
            return s
        return self._change(s, own=True) if told else self._unheard(s, own=True)

    def _broker(self, s: State) -> Iterator[tuple[str, State]]:
        has = self.assumed
        if s.unregistering and s.ends[-1] == OPEN:  # unregisterConsumer notifies even if the channel was not listed
            there = s.listed or s.y or s.found
            then = s._replace(unregistering=False)
            if s.latest:
                then = self._removed(then, len(s.ends) - 1)
            elif there:
                then = self._change(self._emptied(then), own=False)
            yield "unregisters", then
        for i, end in enumerate(s.ends):
            newest = i == len(s.ends) - 1
            if end != ENDED and not (end == OPEN and "stays-connected" in has):
                then = s._replace(ends=(*s.ends[:i], ENDED, *s.ends[i + 1 :]))
                if newest:
                    then = then._replace(unregistering=False, greets=False)
                if s.x == "alive":
                    then = then._replace(since=0)
                yield f"close event {i}", self._removed(then, i)
        if not s.y:
            yield "Y comes", self._change(s._replace(y=True), own=False)
        else:
            yield "Y goes", self._change(self._emptied(s._replace(y=False, untold=None)), own=False)
        yield from self._scans(s)
        if "no-restart" not in has:
            since = 0 if s.x == "alive" else s.since
            empty = State(s.x, (ENDED,) * len(s.ends), (None,) * len(s.ends), known=s.known, died=s.died, threw=s.threw)
            yield "broker restarts", empty._replace(beat=s.beat, since=since)

    def _scans(self, s: State) -> Iterator[tuple[str, State]]:
        """ClientHousekeepingService: the scan of producers closes a silent channel, then that of consumers."""
        over = [i for i, age in enumerate(s.table) if age is not None and age > self.expired]
        for told in (True, False) if over and "close-event-first" not in self.assumed else (True,):
            then = s._replace(scan=0)
            for i in over:
                if i == len(s.ends) - 1:
                    since = 0 if s.x == "alive" else then.since
                    then = then._replace(since=since, unregistering=False, greets=False)
                then = then._replace(ends=(*then.ends[:i], ENDED, *then.ends[i + 1 :]))
                then = self._removed(then, i, told=told)
            yield "scans", self._emptied(then)  # a record without channels leaves consumerTable


class Route(NamedTuple):
    """A client's copy of a topic's route, polled from a name server (MQClientInstance)."""

    moved: int | None = None
    seen: bool = False
    polled: int = 0

    def after(self) -> Iterator[tuple[str, "Route"]]:
        yield "polls", Route(self.moved, self.moved is not None)
        if self.moved is None:
            yield "route changes", Route(0, False, self.polled)

    def later(self, poll: int | None, horizon: int) -> "Route | None":
        if poll is not None and self.polled >= poll:
            return None
        moved = self.moved if self.moved is None else min(self.moved + 1, horizon)
        return Route(moved, self.seen, min(self.polled + 1, poll or 0))
