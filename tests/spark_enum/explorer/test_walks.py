"""The clients' code follows the models step by step; faults on either side are detected."""

from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest

from rebalance_proofs.model.client.java_v5_0 import MarksFirst
from rebalance_proofs.model.machines.offsets.actions import CONCURRENT
from rebalance_proofs.model.machines.ordered import actions
from rebalance_proofs.model.machines.ordered.state import TICKS
from rebalance_proofs.model.offsets.broker import Broker
from rebalance_proofs.model.ordered.consumer import RebalanceLockManager
from rebalance_proofs.model.registry.broker import DefaultConsumerIdsChangeListener
from rebalance_proofs.spark_enum.explorer.concrete.group import Setup
from rebalance_proofs.spark_enum.explorer.concrete.groups import Compared, ConcurrentGroup, Difference, walked
from rebalance_proofs.spark_enum.explorer.concrete.ordered import OrderedGroup
from rebalance_proofs.spark_enum.explorer.in_memory import SortedInMemory
from rebalance_proofs.spark_enum.explorer.levels import levels
from rebalance_proofs.spark_enum.explorer.model import Plain
from rebalance_proofs.spark_enum.explorer.models import concurrent as of_concurrent
from rebalance_proofs.spark_enum.explorer.models import ordered as of_ordered
from rebalance_proofs.spark_enum.explorer.models.concurrent import concurrent
from rebalance_proofs.spark_enum.explorer.models.ordered import ordered
from rebalance_proofs.spark_enum.explorer.product import Product
from rebalance_proofs.spark_enum.explorer.subject import STRATEGIES
from rebalance_proofs.spark_enum.explorer.trace import trace

V4_9, V5 = CONCURRENT
SLOW = replace(TICKS, listener=1)
SLOWEST = replace(TICKS, listener=4, unlock=4)


@cache
def both(client, consumers=2, queues=2, faults=None, strategy="avg", limits=SLOW, forgets=True):
    """A model, and how the group of code is made; all faults, unless told."""
    one = STRATEGIES[strategy]
    if client in CONCURRENT:
        among = frozenset(of_concurrent.FAULTS if faults is None else faults)
        setup = Setup.of(client, one, consumers, queues, among)
        return concurrent(client, one, consumers, queues, among), partial(ConcurrentGroup, setup, forgets=forgets)
    among = frozenset(of_ordered.FAULTS if faults is None else faults)
    setup = Setup.of(client, one, consumers, queues, among)
    model = ordered(client, one, consumers, queues, among, limits)
    return model, partial(OrderedGroup, setup, limits, forgets=forgets)


def walk(model, make, seeds, moves):
    """Walks together; they end where there is a difference."""
    plain, states, names = Plain(model), 0, set()
    for seed in seeds:
        found = walked(plain, make, seed, moves)
        if found.difference:
            return f"seed {seed}: {found.difference}"
        states += found.states
        names |= set(found.moves)
    # All that can be has been, but for what takes long: nothing is the same for want of a case.
    assert {move.name for move in model.moves} - names <= {"sends_unlock"}
    assert states == len(seeds) * moves
    return ""


@pytest.mark.parametrize(
    ("client", "strategy", "consumers", "queues"),
    [(V5, "avg", 2, 2), (V4_9, "circle", 2, 3)],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_concurrent_consumers_code_follows_the_model(client, strategy, consumers, queues):
    assert walk(*both(client, consumers, queues, strategy=strategy), range(2), 60) == ""


@pytest.mark.parametrize(
    ("client", "strategy", "consumers", "queues"),
    [
        (actions.V5_2, "avg", 2, 2),
        (actions.V5_0, "hash", 2, 2),
        (actions.V4_9, "circle", 2, 2),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_ordered_consumers_code_follows_the_model(client, strategy, consumers, queues):
    assert walk(*both(client, consumers, queues, strategy=strategy), range(2), 70) == ""


EVERY = [
    (client, strategy, consumers, queues)
    for client in (*CONCURRENT, *actions.CLIENTS)
    for strategy in STRATEGIES
    for consumers, queues in ((1, 2), (2, 1), (2, 3), (3, 2), (3, 3))
]


@pytest.mark.slow
@pytest.mark.parametrize("place", range(0, len(EVERY), 5))
def test_all_code_follows_the_models(place):
    for client, strategy, consumers, queues in EVERY[place : place + 5]:
        for seed, limits in enumerate((TICKS, SLOW, SLOWEST)):
            model, make = both(client, consumers, queues, strategy=strategy, limits=limits)
            found = walked(Plain(model), make, seed, 120)
            assert not found.difference, f"seed {seed}: {found.difference}"
            assert found.states == 120


def named(model, words):
    """Moves: ``joins 0, pulls 0 1`` is of consumer 0, and of its queue 1."""
    known = {
        " ".join(str(part) for part in (move.name, move.who, move.queue) if part is not None): move
        for move in model.moves
    }
    return [known[word] for word in words.split(", ")]


def along(model, make, words):
    """The state, and the group; or where they differ."""
    plain = Plain(model)
    found = Compared(plain, make).along(named(model, words))
    assert found is not None, "neither can do that"
    return plain, found


def test_dropped_entry_is_removed_after_two_minutes_in_code_and_model():
    model, make = both(actions.V5_2, 2, 1, (), limits=SLOW)
    # c1 takes the queue away from c0, which has a listener running, and is shut down: c0 has a marked entry.
    begin = "joins 1, rebalances 1, pulls 1 0, starts 1 0, joins 0, rebalances 1, rebalances 0, leaves 0, ends 1 0"
    plain, found = along(model, make, begin)
    assert not isinstance(found, Difference), str(found)
    minutes = ", ".join(["rebalances 1, renews 1, tick"] * 13)
    plain, found = along(model, make, f"{begin}, {minutes}")
    assert not isinstance(found, Difference), str(found)
    state, _ = found
    numbers = plain.numbers(state.queues[0])
    assert (numbers["dropped1"], numbers["marked_for1"]) == (1, of_ordered.OVERDUE)
    plain, found = along(model, make, f"{begin}, {minutes}, rebalances 1")
    assert not isinstance(found, Difference), str(found)
    numbers = plain.numbers(found[0].queues[0])
    assert (numbers["present1"], numbers["dropped1"], numbers["marked_for1"]) == (1, 0, 0)


@pytest.mark.parametrize("client", [actions.V4_9, actions.V5_0], ids=lambda client: client.name)
def test_delayed_unlock_is_sent_when_due_in_code_and_model(client):
    model, make = both(client, 2, 1, (), limits=SLOW)
    given = "joins 1, rebalances 1, pulls 1 0, joins 0, rebalances 0, rebalances 1"
    assert Compared(Plain(model), make).along(named(model, f"{given}, tick, sends_unlock 1 0")) is None
    _, found = along(model, make, f"{given}, tick, rebalances 0, rebalances 1, tick, sends_unlock 1 0")
    assert not isinstance(found, Difference), str(found)
    assert found[1].brokers[0].entry is None


@pytest.mark.parametrize("client", [V5, actions.V5_2], ids=lambda client: client.name)
def test_code_follows_the_shortest_paths(client):
    model, make = both(client, 2, 1, ())
    product = Product(model)
    store = SortedInMemory(product.numbering.order(8))
    first = {}
    for level in levels(product, store):
        for name, state in level.wrong.items():
            first.setdefault(name, (level.number, state))
    ways = [trace(product, store, *place) for place in first.values()]
    assert ways
    for way in ways:
        found = Compared(Plain(model), make).along([step.move for step in way if step.move])
        assert found is not None
        assert not isinstance(found, Difference), str(found)


SENT_TWICE = "joins 1, rebalances 1, sends 1 0, sends 1 0, arrives 1 0"
CALLED_TWICE = (
    "joins 1, rebalances 1, pulls 1 0, starts 1 0, joins 0, rebalances 1, leaves 0, "
    "rebalances 1, pulls 1 0, starts 1 0, joins 0, rebalances 1, ends 1 0"
)
PUT_OFF_TWICE = (
    "joins 1, rebalances 1, pulls 1 0, joins 0, rebalances 0, rebalances 1, tick, leaves 0, rebalances 1, renews 1, "
    "pulls 1 0, joins 0, rebalances 0, rebalances 1, tick, sends_unlock 1 0"
)
UNDER_WAY_TWICE = (
    "joins 1, rebalances 1, joins 0, rebalances 0, rebalances 1, leaves 0, rebalances 1, joins 0, rebalances 0, "
    "rebalances 1, unlocked 1 0"
)


@pytest.mark.parametrize(
    ("client", "faults", "words", "what"),
    [
        (V5, (of_concurrent.LATE_COMMIT,), SENT_TWICE, "sending1 of queue 0 is 0 in the model, and 1 in the code"),
        (V5, (), CALLED_TWICE, "late1 of queue 0 is 0 in the model, and 1 in the code"),
        (actions.V4_9, (), PUT_OFF_TWICE, "sends_unlock c1 q0 is possible in the code and not in the model"),
        (actions.V5_2, (of_ordered.LATE_RETURN,), UNDER_WAY_TWICE, "unlocking1 of queue 0 is 0 in the model, and 1"),
    ],
    ids=["commits", "calls", "put-off", "unlocks"],
)
def test_model_keeps_the_newest_of_several_equal_entries(client, faults, words, what):
    """The behaviour that docs describe as missing in the models; without other omissions both agree."""
    model, make = both(client, 2, 1, faults)
    plain, way = Plain(model), named(model, words)
    kept = Compared(plain, partial(make.func, *make.args, forgets=False)).along(way)
    assert what in str(kept)
    assert not isinstance(Compared(plain, make).along(way), Difference)


def kept_from(model, letter, names):
    """An act that leaves these numbers as they were."""
    act, places = model.acts[letter], [model.columns.index(name) for name in names]

    def does(rows):
        can, after = act(rows)
        after = after.copy()
        after[:, places] = rows[:, places]
        return can, after

    return replace(model, acts=dict(model.acts) | {letter: does})


def commits_nothing(model):
    for who in (0, 1):
        model = kept_from(model, f"gives{who}", ["committed"])
    return model


def takes_nothing(model):
    same = {f"keeps{who}": lambda rows: (np.ones(len(rows), dtype=bool), rows) for who in (0, 1)}
    return replace(model, acts=dict(model.acts) | same)


def keeps_locks(model):
    return kept_from(kept_from(model, "gives0", ["holder", "updated"]), "gives1", ["holder", "updated"])


def tells_nobody(model):
    def after(members, move):
        changed = model.after(members, move)
        if changed is None or move.name != "leaves":
            return changed
        own = getattr(changed.members, "members", changed.members)
        silent = replace(own, told=(False,) * len(own.told))
        told = silent if own is changed.members else replace(changed.members, members=silent)
        return replace(changed, members=told)

    return replace(model, after=after)


SEEDS = range(6)


def first_difference(model, make, moves=60):
    plain = Plain(model)
    for seed in SEEDS:
        found = walked(plain, make, seed, moves)
        if found.difference:
            return found.difference
    return None


@pytest.mark.parametrize(
    ("client", "wrong", "what"),
    [
        (V5, commits_nothing, "committed of queue 0 is 0 in the model, and 1 in the code"),
        (V5, takes_nothing, "present"),
        (V5, tells_nobody, "told is"),
        (actions.V5_2, takes_nothing, "in the model, and 1 in the code"),
        (actions.V5_2, keeps_locks, "holder of queue"),
        (actions.V5_2, tells_nobody, "told is"),
    ],
    ids=lambda value: getattr(value, "name", getattr(value, "__name__", "")),
)
def test_wrong_model_is_detected(client, wrong, what):
    model, make = both(client, 2, 1, ())
    difference = first_difference(wrong(model), make, 150)
    assert difference is not None
    assert what in difference.what
    assert Compared(Plain(model), make).along(difference.moves) is not None


def test_wrong_allocation_is_detected():
    model, _ = both(V5, 2, 3, (), "avg")
    _, make = both(V5, 2, 3, (), "circle")
    difference = first_difference(model, make)
    assert difference is not None
    # Nobody but a second member makes the two strategies differ.
    assert {"joins c0", "joins c1"} <= set(map(str, difference.moves))
    assert len(difference.moves) == 3


def no_expiry(patch):
    patch.setattr(RebalanceLockManager, "_expired", lambda manager, now: False)


def nobody_notified(patch):
    patch.setattr(DefaultConsumerIdsChangeListener, "handle_change", lambda listener, group, channels: None)


def nothing_added(patch):
    patch.setattr(MarksFirst, "add_message_queues", lambda client, mq_set, is_order, expected: False)


def nothing_committed(patch):
    patch.setattr(Broker, "commit_offset", lambda broker, offset: None)


LEFT_ALONE = ", ".join(
    ["joins 1, rebalances 1, crashes 1, joins 0, rebalances 0"]
    + ["rebalances 0, renews 0, tick"] * 7
    + ["rebalances 0"]
)


@pytest.mark.parametrize(
    ("client", "wrong", "what"),
    [
        (V5, nobody_notified, "told is"),
        (V5, nothing_added, "present"),
        (V5, nothing_committed, "committed of queue"),
        (actions.V5_2, nobody_notified, "told is"),
        (actions.V5_2, nothing_added, "in the model, and 0 in the code"),
    ],
    ids=lambda value: getattr(value, "name", getattr(value, "__name__", "")),
)
def test_wrong_code_is_detected(client, wrong, what, monkeypatch):
    model, make = both(client, 2, 2, ())
    wrong(monkeypatch)
    difference = first_difference(model, make, 150)
    assert difference is not None
    assert what in difference.what


def test_lock_that_never_expires_is_detected(monkeypatch):
    model, make = both(actions.V5_2, 2, 1, (of_ordered.CRASH,))
    assert not isinstance(along(model, make, LEFT_ALONE)[1], Difference)
    no_expiry(monkeypatch)
    found = along(model, make, LEFT_ALONE)[1]
    assert isinstance(found, Difference)
    assert "present0 of queue 0 is 1 in the model, and 0 in the code" in found.what


def test_difference_is_reported_with_the_fewest_actions():
    model, make = both(V5, 2, 2, ())
    difference = first_difference(takes_nothing(model), make)
    assert str(difference) in {
        f"joins c{who}, rebalances c{who}: present{who} of queue 0 is 0 in the model, and 1 in the code"
        for who in (0, 1)
    }


def test_action_possible_on_one_side_only_is_a_difference():
    model, make = both(V5, 1, 1, ())
    refuses = replace(model, acts=dict(model.acts) | {"pulls0": lambda rows: (np.zeros(len(rows), dtype=bool), rows)})
    assert str(first_difference(refuses, make)) == (
        "joins c0, rebalances c0: pulls c0 q0 is possible in the code and not in the model"
    )
    always = replace(model, acts=dict(model.acts) | {"pulls0": lambda rows: (np.ones(len(rows), dtype=bool), rows)})
    assert str(first_difference(always, make)) == "at first: pulls c0 q0 is possible in the model and not in the code"
