"""Pauses for two events in a row: single events as before, the worst pairs, and their runs on the client's code."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

from rebalance_proofs.model.machines.ordered.actions import CLIENTS, GO, V4_9, V5_0, V5_2
from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.model.ordered.consumer import OrderedConsumer, RebalanceLockManager
from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.proofs.ordered.composed import member
from rebalance_proofs.proofs.ordered.composed.bounds import REPEATED, RESTART, explored, greater
from rebalance_proofs.proofs.ordered.composed.group import POLL, Event, Group
from rebalance_proofs.proofs.ordered.composed.longest import Explored
from rebalance_proofs.proofs.ordered.composed.member import Members
from rebalance_proofs.proofs.ordered.composed.queue import DELAYED, ConcurrentQueue, OrderedQueue
from rebalance_proofs.proofs.ordered.composed.witness import Step, run, words
from rebalance_proofs.proofs.ordered.passing import NEVER_ENDS, TICK, Way
from rebalance_proofs.proofs.ordered.pauses import PERIOD, longest
from rebalance_proofs.report.ordered.two_events import PAUSE, composed, pinned

PLANNED = (Event.JOIN, Event.SHUTDOWN, Event.CRASH)
RECORDED = 58_000
"""Longest pause in ms of the recorded rolling restart of 4.9.8."""
WAYS = {Event.JOIN: (Way.ALIVE,), Event.SHUTDOWN: (Way.ALIVE, Way.SHUT), Event.CRASH: (Way.ALIVE, Way.CRASHED)}
NO_CHOICE = ("unlocked", "sends_unlock", "pulls", "shuts", "gives_back", "clears", "renewed", "refused")


@pytest.fixture(scope="module")
def restart() -> Explored:
    return explored(Members(OrderedQueue(V4_9)), RESTART)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_one_event_takes_as_long_as_its_hand_over(client):
    """Any event can also move the queue between two members that stay."""
    found = Explored(Group(Members(OrderedQueue(client))), PLANNED)
    expected = {event: max(longest(client, way).ticks for way in ways) for event, ways in WAYS.items()}
    assert found.singles(found.waits) == expected
    assert not found.stuck


def test_lost_host_keeps_the_queue_until_its_removal_and_one_rebalance():
    """The lock expires before the broker misses the member, so it adds nothing: 150 s, not 130 s and 80 s."""
    found = Explored(Group(Members(OrderedQueue(V4_9))), (Event.HOST_LOST,))
    assert found.singles(found.waits)[Event.HOST_LOST] == member.LOST + 2


@pytest.mark.parametrize(
    ("event", "ticks"), [(Event.ROUTE, POLL - 1 + PERIOD), (Event.BROKER_FROZEN, member.LOST + PERIOD)]
)
def test_rebalance_just_before_its_information_waits_for_the_next_one(event, ticks):
    """Routes are polled every 30 s, or a broker lists closed connections for 130 s; then comes the timer of 20 s."""
    found = Explored(Group(Members(ConcurrentQueue("concurrent")), 2), (event,))
    assert found.singles(found.waits)[event] == ticks == composed("concurrent").single[event.value][0]


def test_third_event_can_come_in_the_tick_in_which_the_group_becomes_calm():
    found = explored(Members(ConcurrentQueue("concurrent")), RESTART)
    lasts = found.lasting(found.unsettled)[found.after_events]
    assert found.apart() == int(lasts.max()) + 1 == composed("concurrent").apart


def test_shutdown_in_a_row_exceeds_the_bound_of_a_shutdown_alone(restart):
    alone = longest(V4_9, Way.SHUT).ticks * TICK
    idle = restart.told(restart.group.idle)
    pairs = restart.pairs(idle)
    assert alone < RECORDED <= pairs[Event.JOIN, Event.SHUTDOWN] * TICK
    assert restart.singles(idle)[Event.SHUTDOWN] < pairs[Event.SHUTDOWN, Event.JOIN]


def test_delayed_unlock_ends_with_its_process(restart):
    """The recorded case: a member gives up a queue with cached messages, and shuts down before its unlock is sent."""
    group = restart.group
    begin = group.normal(group.start(2))
    joined = _go(group.events, begin, "joins", 2, owner=2)
    given = _go(group.moves, joined, "gives1", 0)
    left = _go(group.events, given, "leaves0", 0, owner=2)
    ended = _go(group.moves, left, "exits", 0)
    lasts = restart.lasting(restart.told(group.idle))
    ticks = int(lasts[np.searchsorted(restart.keys, group.keys(group.sorted(ended)))[0]])
    assert RECORDED <= ticks * TICK <= 80_000
    sent = _go(group.moves, left, "sends_unlock", 0, tick=2)
    assert int(sent.holder[0]) == 0
    assert int(ended.holder[0]) == 1


def _go(moves, state, name, who, owner=None, tick=0):
    for _ in range(tick):
        state = _tick(moves, state)
    for moved in moves(state):
        if moved.name == name and moved.who == who:
            for at in range(len(moved.origin)):
                after = moved.states.at(np.array([at]))
                if owner is None or int(after.owner[0]) == owner:
                    return after
    raise AssertionError(f"{name} of {who} is impossible")


def _tick(moves, state):
    for who in range(3):
        for name in ("has-none", "takes", "renews"):
            for moved in moves(state):
                if (moved.name, moved.who) == (name, who) and len(moved.origin):
                    state = moved.states.at(np.array([0]))
                    break
    return next(moved.states.at(np.array([0])) for moved in moves(state) if moved.ticks and len(moved.origin))


def test_dropped_entry_that_comes_back_waits_until_its_pull_expires(restart):
    steps = list(words(restart, run(restart, restart.told(restart.group.idle), Event.JOIN, Event.SHUTDOWN)))
    assert any("while its listener runs" in sentence for _, sentence in steps)
    assert restart.pairs(restart.told(restart.group.idle))[Event.JOIN, Event.SHUTDOWN] == member.OVERDUE + 1


@pytest.mark.parametrize("client", [V4_9, V5_0, V5_2, GO], ids=lambda client: client.name)
@pytest.mark.parametrize("second", [Event.SHUTDOWN, Event.CRASH])
def test_worst_run_is_a_behaviour_of_the_code(client, second):
    found = Explored(Group(Members(OrderedQueue(client))), (Event.JOIN,), (second,))
    idle = found.told(found.group.idle)
    steps = run(found, idle, Event.JOIN, second)
    replayed = Replay(client, found)
    paused = longest_pause = 0
    for step in steps:
        replayed.does(step)
        works = replayed.works()
        assert works == bool(~found.group.idle(step.after)[0]), step
        paused = 0 if works else paused + (step.name == "10 s pass")
        longest_pause = max(longest_pause, paused)
    assert longest_pause == found.pairs(idle)[Event.JOIN, second]


@dataclass
class Replay:
    """A run on the Python code of the consumers and of the broker's lock."""

    client: object
    explored: Explored
    broker: RebalanceLockManager = field(default_factory=lambda: RebalanceLockManager(DEFAULTS.broker))
    consumers: dict[int, OrderedConsumer] = field(default_factory=dict)
    ids: int = 0
    now: int = 0

    def does(self, step: Step) -> None:
        if not self.consumers:
            self._begins(step)
        if step.name == "10 s pass":
            self.now += TICK
            for consumer in self.consumers.values():
                consumer.now = self.now
        elif step.who < 0:
            return
        elif step.name == "joins":
            self._joins(step.who, same=int(step.after.holder[0]) == step.who + 1)
        elif step.name in ("crashes", "exits"):
            self.consumers[step.who].put_off.clear()
            if step.name == "crashes":
                self.consumers[step.who].crashes()
        else:
            self._moves(step.name, self.consumers[step.who], step)

    def works(self) -> bool:
        entries = [one.entry for one in self.consumers.values() if one.entry]
        return any(
            entry.locked and not entry.dropped and self.now - entry.last_lock_timestamp <= DEFAULTS.client
            for entry in entries
        )

    def _begins(self, step: Step) -> None:
        of = self.explored.group.of
        for who in range(3):
            if of.runs[step.before.members[0, who]]:
                self._joins(who, same=False)
        first = self.consumers[0]
        for name in ("locks", "adds", "renews", "renewed"):
            getattr(first, name)()

    def _joins(self, who: int, *, same: bool) -> None:
        old = self.consumers.get(who)
        self.ids += 1
        name = old.client_id if same and old else self.ids
        self.consumers[who] = self.client.consumer(name, self.broker, DEFAULTS.but(first_pull=0, listener=0))
        self.consumers[who].now = self.now

    def _moves(self, name: str, consumer: OrderedConsumer, step: Step) -> None:
        of = self.explored.group.of
        if name == "takes":
            overdue = of.rows[step.before.members[0, step.who], member.PULLED] >= member.OVERDUE
            if consumer.entry is not None and consumer.entry.dropped and overdue:
                self._call(consumer, "revokes", True)
                self._may(consumer, "unlocked")
            if consumer.entry is None and self._may(consumer, "locks", True):
                self._call(consumer, "adds", True)
        elif name == "renews":
            self._call(consumer, *(("renewed",) if self._may(consumer, "renews", True) else ("refused",)))
        elif name == "sends_unlock":
            for (deed, *said), _ in DELAYED.parts:
                self._call(consumer, deed, *said)
        elif name.startswith(("gives", "leaves")):
            for (deed, *said), skips in of.parts(name):
                (self._may if skips else self._call)(consumer, deed, *said)

    def _call(self, consumer: OrderedConsumer, name: str, *said: bool) -> None:
        choice = {"revokes": "in_set", "locks": "heard", "renews": "heard", "adds": "found"}.get(name, "more")
        getattr(consumer, name)(**({} if name in NO_CHOICE or not said else {choice: said[0]}))

    def _may(self, consumer: OrderedConsumer, name: str, *said: bool) -> bool:
        try:
            self._call(consumer, name, *said)
        except Impossible:
            return False
        return True


def test_stuck_model_is_not_a_short_pause(monkeypatch):
    monkeypatch.setattr(Members, "_may_pass", lambda self, rows: np.zeros(len(rows), dtype=bool))
    with pytest.raises(RuntimeError, match="time never passes"):
        explored(Members(ConcurrentQueue("concurrent")), RESTART)


def test_slower_timer_lengthens_a_pause(monkeypatch):
    monkeypatch.setattr(member, "PERIOD", 1)
    found = Explored(Group(Members(ConcurrentQueue("concurrent"))), (Event.JOIN,), (Event.JOIN,))
    sooner = found.pairs(found.waits)[Event.JOIN, Event.JOIN]
    assert sooner < composed("concurrent").pairs["join", "join"][0]


def test_search_that_forgets_the_second_event_finds_a_shorter_pause(monkeypatch):
    found = Explored(Group(Members(OrderedQueue(GO))), (Event.JOIN,), (Event.CRASH,))
    idle, lasting = found.told(found.group.idle), Explored.lasting
    right = found.pairs(idle)[Event.JOIN, Event.CRASH]
    monkeypatch.setattr(Explored, "lasting", lambda self, waits, onward=None: lasting(self, waits))
    assert found.pairs(idle)[Event.JOIN, Event.CRASH] < right <= composed("go").pairs["join", "crash"][PAUSE]


def test_model_in_which_a_delayed_unlock_outlives_its_process_is_noticed(monkeypatch):
    changed = Members._changed
    monkeypatch.setattr(
        Members, "_changed", lambda self, rows: (one for one in changed(self, rows) if one[0] != "exits")
    )
    group = Group(Members(OrderedQueue(V4_9)))
    with pytest.raises(AssertionError, match="exits of 0 is impossible"):
        test_delayed_unlock_ends_with_its_process(SimpleNamespace(group=group))


def test_greater_of_a_bound_and_none_is_none():
    assert greater(3, NEVER_ENDS) == NEVER_ENDS
    assert greater(3, 2) == 3


@pytest.mark.slow
@pytest.mark.parametrize("name", [*(client.name for client in CLIENTS), "concurrent"])
def test_pinned_times_are_explored_again(name):
    found = pinned(name)
    of = composed(name)
    assert {event: tuple(two) for event, two in found["single"].items()} == of.single
    assert {tuple(pair.split()): tuple(two) for pair, two in found["pairs"].items()} == of.pairs
    assert (found["apart"], found["after_last"]) == (of.apart, of.after_last)


@pytest.mark.parametrize("client", [V5_2, GO], ids=lambda client: client.name)
def test_third_possible_owner_does_not_prolong_the_time_after_many_events(client):
    members = Members(OrderedQueue(client))
    found = [Explored(Group(members, most), PLANNED, repeated=True) for most in (2, 3)]
    times = {one.after_last(one.told(one.group.waits)) for one in found}
    assert times == {composed(client.name).after_last}
    assert not any(one.stuck for one in found)
    assert len(found[1].keys) > len(found[0].keys)


@pytest.mark.parametrize("client", [V4_9, V5_0], ids=lambda client: client.name)
def test_time_after_many_events_is_pinned(client):
    found = explored(Members(OrderedQueue(client)), REPEATED)
    assert found.after_last(found.told(found.group.waits)) == composed(client.name).after_last


def test_many_events_reach_states_that_two_events_do_not():
    members = Members(OrderedQueue(GO))
    twice, often = (Explored(Group(members, 2), PLANNED, PLANNED), explored(members, REPEATED))
    assert set(twice.keys) < set(often.keys)


def test_time_after_many_events_counts_waits_that_begin_later():
    """A member with a stale list consumes its queue until it rebalances; the queue's owner then waits."""
    found = explored(Members(ConcurrentQueue("concurrent")), REPEATED)
    waits = found.told(found.group.waits)
    assert not waits[np.searchsorted(found.keys, found.begin)].any()
    assert found.after_last(waits) == int(found.lasting(waits).max()) == 2
    assert found.after_last(np.zeros_like(waits)) == 0


def test_time_after_many_events_is_not_below_that_of_one_event():
    for name in (*(client.name for client in CLIENTS), "concurrent"):
        of = composed(name)
        assert of.after_last >= max(of.single[event.value][0] for event in PLANNED)
        # Two events at the same time are among any number of events.
        assert 2 * of.after_last >= max(of.planned(event.value) for event in PLANNED)
