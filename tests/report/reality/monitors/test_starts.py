"""Messages that a group which begins at the last offset skips, by the time of their arrival."""

import pytest

from rebalance_proofs.recorded.groups.broker import Table
from rebalance_proofs.recorded.groups.event import PULLING, QUERY, REBALANCING, Request, Response, Sent
from rebalance_proofs.recorded.groups.member import EntryNew, OffsetRead, Pulled
from rebalance_proofs.report.reality.monitors.offsets import offsets
from rebalance_proofs.report.reality.told import happenings, helds
from rebalance_proofs.report.reality.view import View
from tests.report.reality.monitors.made import Made

Q = "T1:b0:0"
ASKED, ADDED, PULLED, COMMITTED = 1_000, 2_000, 3_000, 9_000
ARRIVALS = {"earlier": 900, "asked": 1_500, "added": 2_500, "pulled": 3_500}
"""When a message arrives -> the time in ms; the one before it arrives 100 ms earlier."""


def made(unread=(), *, mode="concurrent", from_="LAST", code=22, twice=False):
    """One member takes a queue at 2 s. Four messages arrive, of which nobody consumes those that are ``unread``."""
    made = Made("4.9.7")
    made.broker()
    made.member("c0", group="G", mode=mode, from_=from_, sub="T1")
    for at in (ASKED, *((ASKED + 3_000,) if twice else ())):
        made.asks("c0", at, QUERY, Request(q=Q), thread=REBALANCING, answered=at + 100, response=Response(code=code))
        made.add(OffsetRead, "c0", at + 200, q=Q, result=-1)
    made.add(EntryNew, "c0", ADDED, q=Q, entry="e")
    made.asks("c0", ADDED + 500, QUERY, Request(q=Q), thread=PULLING, answered=ADDED + 600, response=Response(code=22))
    made.add(Pulled, "c0", PULLED, q=Q, status="FOUND", next=4)
    for offset, (name, at) in enumerate(ARRIVALS.items()):
        made.add(Sent, "p", at - 100, q="T2:b0:0", offset=offset, tag="A")
        made.add(Sent, "p", at, q=Q, offset=offset, tag="A")
        if name not in unread:
            made.call("c0", Q, offset, 5_000 + offset, 6_000 + offset)
    made.add(Table, "b0", COMMITTED, what="offset", of="T1@G:0", is_="4", was=None)
    return [*offsets(View(made.trace(20_000)))]


def happened(told):
    return {claim.partition(".")[2].partition(".")[2] for one in happenings(told) for claim in one.claims}


def held(told):
    return {one.claim.rpartition(".")[2]: one.against for one in helds(told) if ".since-" in one.claim}


def test_each_arrival_is_a_chance_for_the_claims_that_hold():
    assert held(made()) == {"since-added": 0}
    assert held(made(mode="ordered")) == {"since-pulled": 0}
    assert happened(made()) == happened(made(mode="ordered")) == set()


@pytest.mark.parametrize(
    ("unread", "mode", "broken"),
    [
        ("earlier", "concurrent", {"not-skipped.without-offset"}),
        ("earlier", "ordered", {"not-skipped.without-offset"}),
        ("asked", "concurrent", {"since-asked"}),
        ("added", "ordered", {"since-added"}),
    ],
)
def test_skipped_message_is_found_by_its_arrival(unread, mode, broken):
    assert happened(made({unread}, mode=mode)) == broken


def test_skipped_message_of_an_owned_queue_contradicts_the_claims_that_hold():
    assert held(made({"added"})) == {"since-added": 1}
    assert held(made({"pulled"}, mode="ordered")) == {"since-pulled": 1}


def test_queue_taken_twice_before_the_first_commit_drops_the_assumption():
    told = made({"pulled"}, twice=True)
    assert happened(told) == {"since-added.without-keeping"}
    assert held(told) == {}
    assert happened(made({"pulled"}, mode="ordered", twice=True)) == {"since-pulled.without-keeping"}


@pytest.mark.parametrize("other", [{"from_": "FIRST"}, {"code": 0}])
def test_groups_with_an_offset_or_from_the_first_one_are_not_checked(other):
    told = made(set(ARRIVALS), **other)
    assert not happened(told) & {"not-skipped.without-offset", "since-asked"}
    assert held(told) == {}
