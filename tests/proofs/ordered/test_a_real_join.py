"""A recorded join: a consumer joins an ordered group of 5.3.3 whose listener takes 5 s, and gets this queue.

``join_5_3_3.jsonl``: times in ms since the new consumer was started; ``old`` had all eight queues, ``new`` gets four of
them, among them this one. Client, broker and host had their default behaviour; only the time of the start was chosen.
"""

import json
from itertools import pairwise
from pathlib import Path

from rebalance_proofs.model.machines.ordered.actions import V5_2
from rebalance_proofs.model.machines.settling.actions import DEFAULTS
from rebalance_proofs.proofs.ordered.passing import TICK, Way
from rebalance_proofs.proofs.ordered.pauses import PERIOD, SOON, longest
from rebalance_proofs.report.symptoms.causes import CAUSES

QUEUE = "T1:b0:4"
ROWS = [json.loads(row) for row in Path(__file__).with_name("join_5_3_3.jsonl").read_text("utf-8").splitlines()]


def _at(who: str, ev: str, **more: object) -> list[int]:
    return [row["at"] for row in ROWS if row["who"] == who and row["ev"] == ev and more.items() <= row.items()]


JOINED = _at("new", "allocate")[0]
MARKED = _at("old", "entry", dropped=True)[0]
RETURNED = next(at for at in _at("old", "end") if at > MARKED)
(GONE,) = _at("old", "entry-gone")
(ADDED,) = _at("new", "entry-new")
CALLED = _at("new", "begin")[0]


def test_queue_pauses_twenty_seconds_after_its_listener_returned():
    assert RETURNED - MARKED == 2_076
    assert CALLED - RETURNED == 20_057


def test_old_owner_retries_at_its_timer():
    before, marks, again = _at("old", "allocate")
    assert MARKED - marks < DEFAULTS.least
    assert marks - before < DEFAULTS.wait < again - marks
    assert GONE - again < DEFAULTS.least
    # It saw once, by its own share, that the queue is another's; nobody told it of anything in between.
    assert not [at for at in _at("old", "notified") if marks < at < again]


def test_new_owner_asks_every_second():
    asks = _at("new", "ask", code="LOCK_BATCH_MQ", queues=[QUEUE])
    gaps = [later - sooner for sooner, later in pairwise(asks)]
    assert len(asks) == 20
    assert DEFAULTS.least <= min(gaps)
    assert max(gaps) < 2 * DEFAULTS.least


def test_model_contains_the_recorded_pause():
    """The longest pause is no shorter, and both clients take part in it as recorded."""
    assert ADDED - JOINED <= longest(V5_2, Way.ALIVE).ticks * TICK
    asks = _at("new", "ask", code="LOCK_BATCH_MQ")
    assert max(later - sooner for sooner, later in pairwise(asks)) < SOON * TICK
    marks, again = _at("old", "allocate")[1:]
    assert SOON * TICK < again - marks < (PERIOD + 1) * TICK


def test_cause_states_the_recorded_duration():
    (cause,) = (one for one in CAUSES if one.name == "marked-until-timer")
    (effect,) = cause.effects
    assert effect.lasts.most is not None
    assert CALLED - RETURNED < effect.lasts.most < 2 * (CALLED - RETURNED)
    assert "5.3.3" in cause.read
