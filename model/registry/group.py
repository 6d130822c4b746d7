"""Python code of one group member, one broker and the other members.

There is a method for each action of the registry's machine.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rebalance_proofs.model.machine.run import Run
from rebalance_proofs.model.machine.values import number
from rebalance_proofs.model.possible import need
from rebalance_proofs.model.registry.broker import (
    CLIENT_INNER_PRODUCER,
    Channel,
    ClientChannelInfo,
    ClientHousekeepingService,
    ConsumerGroupInfo,
    ConsumerManager,
    DefaultConsumerIdsChangeListener,
    ProducerManager,
)

if TYPE_CHECKING:
    from rebalance_proofs.model.machines.registry.state import Limits


# Python code of a client's polled route of one topic.
# Mirror of ``updateTopicRouteInfoFromNameServer``.


class Route:
    """A topic's route that changes once at the name servers, and that the client polls.

    A new route is put into ``topicSubscribeInfoTable``, which does not wake the rebalance thread.
    """

    def __init__(self) -> None:
        self.moved = False
        """Whether the route has changed at the name servers."""
        self.moved_at = self.polled = 0
        self.seen = False
        """Whether the client has received the changed route."""

    def moves(self, now: int) -> None:
        """The route changes at the name servers."""
        need(not self.moved)
        self.moved, self.moved_at = True, now

    def polls(self, now: int) -> None:
        """The client receives an answer with the route."""
        self.polled, self.seen = now, self.moved


GROUP, OTHER_GROUP = "group", "another group of the same process"
ID, OTHER_ID = "X", "Y"


class Group:
    """A member, a broker and the other members. Times are in ms; the broker is started at 0.

    A method raises ``Impossible`` if its action is impossible in the present state.
    """

    def __init__(
        self,
        limits: "Limits",
        *,
        greets: bool,
        stops: bool = False,
        shares: bool = True,
        off: bool = False,
        later: bool = False,
    ) -> None:
        self.limits, self.greets, self.stops, self.shares = limits, greets, stops, shares
        self._off, self._later = off, later
        self.now = 0
        self.broker = self._new_broker()
        self.housekeeping = ClientHousekeepingService(ProducerManager(number(self.limits.expired)), self.broker)
        self.alive = self.running = self.link = self.closing = self.leaving = self.died = self.known = False
        self.threw = False
        self.second = False
        """Whether the member has had an earlier connection than the present one."""
        self.channel, self.earlier = Channel(), Channel()
        """The member's newest connection, open or not, and an earlier one."""
        self.found: ConsumerGroupInfo | None = None
        """The record into which a heartbeat is about to put its channel."""
        self.at = self.old_at = self.change = self.scanned = self.flushed = self.stale_at = 0
        self.anew = self.stale = False
        self.route = Route()

    def _new_broker(self) -> ConsumerManager:
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=not self._off, real_time_notify_consumer_change=not self._later
        )
        return ConsumerManager(listener, number(self.limits.expired))

    def notifies(self, *, off: bool, later: bool) -> None:
        """Set whether the broker notifies members at once.

        ``off``: it never notifies them; ``later``: it collects changes and notifies afterwards.
        """
        self._off, self._later = off, later
        listener = self.broker.listener
        listener.notify_consumer_ids_changed_enable = not off
        listener.real_time_notify_consumer_change = not later

    @property
    def channels(self) -> list[Channel]:
        """Return all connections of the group that the broker lists."""
        record = self.broker.consumer_table.get(GROUP)
        return record.get_all_channel() if record else []

    @property
    def mine(self) -> bool:
        """Whether the broker lists the member's newest connection."""
        return self.channel in self.channels

    @property
    def old(self) -> bool:
        """Whether the broker lists the member's earlier connection."""
        return self.earlier in self.channels

    @property
    def answer(self) -> list[str] | None:
        """Return the ids in the broker's answer to ``findConsumerIdList``; None for an error.

        After an error, the client keeps its queues.
        """
        return self.broker.get_consumer_list_by_group(GROUP)

    def _listed(self) -> tuple[bool, bool]:
        return self.mine, self.old

    def _heard(self, before: tuple[bool, bool], *, sent: bool = True) -> None:
        """Update ``stale``: whether a membership change still has to be notified.

        ``before``: which connections of the member were listed before. ``sent``: whether notifications, if any,
        went to the members that are listed now.
        """
        rounds = [channels for group, channels in self.broker.listener.sent if group == GROUP]
        self.broker.listener.sent.clear()
        if rounds and sent:
            self.stale = not set(self.channels) <= set(rounds[-1])
            if not self.stale:
                return
        if before != self._listed() and self._rest() and not self.stale:
            self.stale, self.stale_at = True, self.now

    def starts(self) -> None:
        """The member starts and connects."""
        need(not (self.alive or self.running or self.link or self.closing or self.died or self.known))
        need(not (self.found or self.mine or self.old))
        self.alive = self.running = self.link = True
        self.at = self.change = self.now
        self.anew, self.threw = self.greets, False

    def throws(self) -> None:
        """``DefaultMQPushConsumerImpl.start`` throws an exception in state ``RUNNING``.

        The cause is a missing route, or a broker that rejects the subscription (``checkClientInBroker``). From 5.3.2
        on, the consumer is then shut down.
        """
        need(self.alive and not self.threw)
        self.threw, self.change = True, self.now
        if self.stops:
            self.leaves()

    def finds(self) -> None:
        """A heartbeat arrives, and the broker finds the group's record."""
        need(self.alive and self.link and self.found is None)
        self.found = self.broker.group_info(GROUP)

    def puts(self) -> None:
        """The broker registers the heartbeat, for both consumer groups of the process."""
        need(self.found is not None)
        assert self.found is not None
        found, self.found = self.found, None
        before, there = self._listed(), self.broker.consumer_table.get(GROUP) is found
        info = ClientChannelInfo(self.channel, ID, self.now)
        self.broker.register_consumer(GROUP, found, info, self.now)
        info = self.own(info)
        self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), info, self.now)
        self._produces(info)
        self._heard(before, sent=there)
        self.at, self.anew, self.known = self.now, False, self.known or there
        if not self.alive:
            self.change = self.now

    def own(self, info: ClientChannelInfo) -> ClientChannelInfo:
        """Return the object of another group or producer of the same heartbeat: from 5.5.1 on, a new one."""
        return info if self.shares else replace(info)

    def _produces(self, info: ClientChannelInfo) -> None:
        """Register the client instance's own producer from the same heartbeat."""
        self.housekeeping.producers.register_producer(CLIENT_INNER_PRODUCER, self.own(info), self.now)

    def leaves(self) -> None:
        """The member is shut down."""
        need(self.alive)
        self.alive, self.leaving, self.change = False, True, self.now

    def unregisters(self) -> None:
        """The member's unregister request arrives."""
        need(self.leaving and self.link)
        before, self.leaving = self._listed(), False
        self.broker.unregister_consumer(GROUP, self.channel)
        self._heard(before)

    def loses(self) -> None:
        """The member's unregister request is lost."""
        need(self.leaving)
        self.leaving = False

    def dies(self) -> None:
        """The member's process dies."""
        self._gone(closing=self.link)

    def vanishes(self) -> None:
        """The member's host vanishes."""
        self._gone(closing=False)

    def _gone(self, *, closing: bool) -> None:
        need(self.running)
        if self.alive:
            self.change, self.died = self.now, True
        self.alive = self.running = self.link = self.leaving = self.anew = False
        self.closing = closing

    def breaks(self) -> None:
        """The broker learns that the newest connection has ended."""
        need(self.link or self.closing)
        before = self._listed()
        self.link = self.closing = self.anew = self.leaving = False
        self.housekeeping.on_channel_close(self.channel)
        self._heard(before)
        if self.alive:
            self.change = self.now

    def reconnects(self, *, keeps: bool) -> None:
        """The member opens a new connection."""
        need(self.alive and self.found is None)
        if not keeps or (self.mine and not self.old):
            self.old_at = self.heard if self.mine else self.old_at
            self.earlier = self.channel
        self.channel, self.link, self.second = Channel(), True, True
        self.change, self.anew = self.now, self.greets

    def lags(self) -> None:
        """The broker registers a heartbeat of an earlier connection after its end.

        The broker does not check that.
        """
        need(self.second)
        self._registers_late(self.earlier)
        self.old_at = self.now

    def straggles(self) -> None:
        """The broker registers a heartbeat of the newest connection after its end."""
        need((self.known or self.second) and not (self.link or self.closing or self.found))
        self._registers_late(self.channel)
        self.at, self.known = self.now, True

    def trails(self) -> None:
        """The broker registers a heartbeat that the process began before the member's shutdown."""
        need(not self.alive and self.running and self.link and self.found is None)
        self._registers_late(self.channel)
        self.at, self.known = self.now, True

    def _registers_late(self, channel: Channel) -> None:
        before, info = self._listed(), ClientChannelInfo(channel, ID, self.now)
        self.broker.register_consumer(GROUP, self.broker.group_info(GROUP), info, self.now)
        self._produces(info)
        self._heard(before)
        self.change = self.now

    def closes_old(self) -> None:
        """The broker learns that the earlier connection has ended."""
        need(self.old)
        before = self._listed()
        self.housekeeping.on_channel_close(self.earlier)
        self._heard(before)

    def _rest(self) -> list[Channel]:
        return [one for one in self.channels if one not in (self.channel, self.earlier)]

    def others_come(self) -> None:
        """The first heartbeat of another member is registered."""
        before, info = self._listed(), ClientChannelInfo(Channel(), OTHER_ID, self.now)
        self.broker.register_consumer(GROUP, self.broker.group_info(GROUP), info, self.now)
        self._produces(info)
        self._heard(before)

    def others_go(self, *, more: bool) -> None:
        """The connection of one other member ends; without ``more``, no other member is left."""
        rest, before = self._rest(), self._listed()
        need(bool(rest))
        if more and len(rest) == 1:
            self.others_come()
        for one in rest[:1] if more else rest:
            self.housekeeping.on_channel_close(one)
        self._heard(before)

    def scans(self, *, more: bool, first: bool) -> None:
        """The broker scans for expired channels and removes them.

        ``more``: the other members have sent heartbeats. ``first``: closes are handled first. The producers'
        scan also closes channels that are not listed here, which makes no difference.
        """
        record = self.broker.consumer_table.get(GROUP)
        for one in self._rest():
            assert record is not None
            heard = self.now if more else self.now - number(self.limits.expired) - 1
            record.channel_info_table[one].last_update_timestamp = heard
        before = self._listed()
        removed = self.housekeeping.scan_exception_channel(self.now, heard_first=first)
        self._heard(before)
        self.scanned = self.now
        if self.channel in removed and before[0]:
            self.link = self.anew = self.leaving = False
            if self.alive:
                self.change = self.now

    def restarts(self) -> None:
        """The broker restarts and loses its table, which is in memory only."""
        self.broker = self._new_broker()
        self.housekeeping = ClientHousekeepingService(ProducerManager(number(self.limits.expired)), self.broker)
        self.link = self.closing = self.leaving = self.anew = self.stale = False
        self.found = None
        self.scanned = self.flushed = self.now
        if self.alive:
            self.change = self.now

    def refreshes(self) -> None:
        """A heartbeat arrives for other groups of the process, but not for this group.

        It is for the process's other consumer group and for the client instance's producer. The first heartbeat
        was for this group, too.
        """
        need(not self.alive and self.running and self.link and self.found is None and self.mine)
        info = ClientChannelInfo(self.channel, ID, self.now)
        self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), info, self.now)
        self._produces(info)
        self.broker.listener.sent.clear()
        self.at = self.heard

    @property
    def heard(self) -> int:
        """Time of the newest connection's last heartbeat at the broker.

        It is unchanged if the connection is not listed.
        """
        record = self.broker.consumer_table.get(GROUP)
        info = record.channel_info_table.get(self.channel) if record else None
        return info.last_update_timestamp if info else self.at

    def copies(self) -> None:
        """The broker copies the notifications that it has collected."""
        need(self.broker.listener.process_map is None)
        self.broker.listener.copies()

    def replaces(self) -> None:
        """The broker sends the copied notifications."""
        need(self.broker.listener.process_map is not None)
        self.broker.listener.replaces()
        sent = any(group == GROUP for group, _ in self.broker.listener.sent)
        self.broker.listener.sent.clear()
        if sent:
            self.stale = False
        self.flushed = self.now

    def moves(self) -> None:
        """The topic's route changes."""
        self.route.moves(self.now)

    def polls(self) -> None:
        """The client polls the topic's route."""
        self.route.polls(self.now)


# Python code of another broker that gets every heartbeat of a run's member.


def elsewhere(run: Run[Any, "Limits"]) -> int:
    """Return how many times the other broker lists the member at the end of the run."""
    other = _Elsewhere(run.limits)
    for seen in run.seen:
        other.until(seen.at)
        other.hears(seen.happens.action, seen.at)
    return (other.broker.get_consumer_list_by_group(GROUP) or []).count(ID)


class _Elsewhere:
    """Another broker, to which the member has one connection during the whole run.

    Times are in ms.
    """

    def __init__(self, limits: "Limits") -> None:
        self.beat, self.scan = number(limits.beat), number(limits.scan)
        listener = DefaultConsumerIdsChangeListener(
            notify_consumer_ids_changed_enable=True, real_time_notify_consumer_change=True
        )
        self.broker = ConsumerManager(listener, number(limits.expired))
        self.channel = Channel()
        self.heard: int | None = None
        """Time of the last heartbeat; None if the member was not started or has gone."""
        self.scanned = 0

    def until(self, now: int) -> None:
        """Let time pass until ``now``; heartbeats and scans come as late as allowed."""
        while True:
            beat = now + 1 if self.heard is None else self.heard + self.beat
            due = min(beat, self.scanned + self.scan)
            if due > now:
                return
            if due == beat:
                self._beats(due)
            else:
                self.scanned = due
                self.broker.scan_not_active_channel(due)

    def hears(self, action: str, now: int) -> None:
        """Perform a member's action that reaches every broker; ignore other actions."""
        if action == "starts":
            self._beats(now)
        elif action in ("leaves", "dies", "vanishes"):
            self.heard = None
            if action == "leaves":
                self.broker.unregister_consumer(GROUP, self.channel)
            elif action == "dies":
                self.broker.do_channel_close_event(self.channel)

    def _beats(self, now: int) -> None:
        info = ClientChannelInfo(self.channel, ID, now)
        self.broker.register_consumer(GROUP, self.broker.group_info(GROUP), info, now)
        self.heard = now
