"""A chance is a situation in which the monitor would have seen a claim fail; other situations do not count."""

from rebalance_proofs.recorded.groups.broker import BrokerStarted, BrokerStarting, Table
from rebalance_proofs.recorded.groups.driver import BrokerEnded, Signal
from rebalance_proofs.recorded.groups.event import (
    BEAT,
    BYE,
    LIST,
    LOCK,
    PULL,
    UPDATE,
    GroupData,
    Queues,
    Request,
    Response,
    Topic,
)
from rebalance_proofs.recorded.groups.member import (
    Allocate,
    OffsetRead,
    OffsetUpdate,
    ShutdownBegin,
    ShutdownEnd,
    Subscribed,
    Unsubscribed,
)
from rebalance_proofs.recorded.groups.run import DRIVER
from tests.each import each
from tests.report.reality.monitors.test_limits import Q, held, of_two, said

BYES = "a broker still listed a member after its shutdown"
ANEW = "a member's new connection was not listed at once"
AGAIN = "a broker did not list a live member within 30 s"
TWICE = "a list of ids contained an id twice"
DIFFER = "two brokers listed different ids"
ROUTED = "a member did not see a topic's new queues"
OUTDATED = "a member still used a topic's outdated route"
LISTED = {"what": "members", "of": "G"}


def members(made, at, is_, was=None, broker="b0"):
    made.add(Table, broker, at, is_=is_, was=was, **LISTED)


def beats(made, who, at, *, took=0, answered=True, **said):
    """A heartbeat that the broker registers, and answers if ``answered``, ``took`` ms after the time ``at``."""
    request = Request(client_id=who, groups=(GroupData(group="G", subs={}),))
    then = at + took if answered else None
    made.asks(who, at, BEAT, request, heard=at + took, answered=at + took, answer=then, **said)


def frozen(made, since, until):
    made.add(Signal, DRIVER, since, of="b0", signal="SIGSTOP")
    made.add(Signal, DRIVER, until, of="b0", signal="SIGCONT")


def shut_down(*, listed: bool, again: bool = False):
    made = of_two()
    asked, beat = (
        Request(client_id="c0", consumer_group="G"),
        Request(client_id="c0", groups=(GroupData(group="G", subs={}),)),
    )
    made.asks("c0", 900, BEAT, beat, answered=900)
    members(made, 1_000, "c0:1 c1:2" if listed else "c1:2")
    made.add(ShutdownBegin, "c0", 50_000)
    made.asks("c0", 50_010, BYE, asked, answered=50_020)
    if again:
        made.asks("c0", 50_015, BEAT, beat, answered=50_030)
    elif listed:
        members(made, 50_050, "c1:2", "c0:1 c1:2")
    made.add(ShutdownEnd, "c0", 50_100)
    return made


@each(("listed", "found"), [(True, (1, 0)), (False, (0, 0))])
def test_shutdown_of_an_unlisted_member_is_no_chance(listed, found):
    assert said(shut_down(listed=listed), "registry", BYES) == found


@each(("listed", "found"), [("c0:1 c1:2", (1, 1)), ("c1:2", (0, 0))])
def test_crash_of_an_unlisted_member_is_no_chance(listed, found):
    made = of_two()
    made.asks("c0", 900, PULL, Request(client_id="c0"), answered=900)
    members(made, 1_000, listed)
    made.add(Signal, DRIVER, 50_000, of="c0", signal="SIGKILL")
    assert said(made, "registry", "a broker listed a member whose process had died") == found
    assert said(made, "registry", "a broker still listed a member 130 s after its end") == found


def test_heartbeat_after_the_unregistration_shows_the_refuted_claim_alone():
    """Without that assumption, the shutdown is no chance of the proved claim."""
    assert said(shut_down(listed=True, again=True), "registry", BYES) == (0, 1)


@each(("start", "found"), [(5, (1, 0)), (0, (0, 0))])
def test_nothing_can_be_below_offset_0(start, found):
    made = of_two()
    made.add(OffsetRead, "c0", 9_990, q=Q, result=start)
    held(made, "c0", 10_000, 90_000)
    made.call("c0", Q, start, 20_000, 20_010)
    made.asks("c0", 30_000, UPDATE, Request(q=Q, consumer_group="G", commit_offset=str(start)), answered=30_001)
    assert said(made, "offsets", "a listener got a message below its entry's start offset") == found
    assert said(made, "offsets", "a commit was below its entry's start offset") == found


@each(("calls", "found"), [(1, (0, 0)), (3, (2, 0))])
def test_first_listener_call_of_a_queue_has_no_call_to_overlap(calls, found):
    made = of_two(mode="ordered")
    for place in range(calls):
        made.call("c0", Q, place, 20_000 + 100 * place, 20_010 + 100 * place)
    assert said(made, "ordered", "a queue's listener was called while another call for the queue ran") == found


@each(("stored", "found"), [(True, (1, 0)), (False, (0, 0))])
def test_batch_after_no_stored_offset_is_no_chance(stored, found):
    made = of_two(mode="ordered")
    held(made, "c0", 10_000, 90_000)
    if stored:
        made.add(OffsetUpdate, "c0", 15_000, q=Q, offset=3)
    made.call("c0", Q, 3, 20_000, 20_010)
    assert said(made, "offsets", "an ordered listener got a message whose offset was already stored") == found


@each(("rounds", "found"), [(1, (0, 0)), (3, (2, 0))])
def test_single_rebalance_has_no_interval(rounds, found):
    made = of_two()
    for place in range(rounds):
        share = {"mq_all": (Q,), "cid_all": ("c0", "c1"), "result": (Q,)}
        made.add(Allocate, "c0", 50_000 + 2_000 * place, topic="T1", **share)
    assert said(made, "settling", "rebalances began less than the minimum interval apart") == found


@each(("before", "found"), [("c1:2", 4), ("c0:7 c1:2", 2)])
def test_list_with_other_connections_of_the_same_members_is_no_change(before, found):
    """Two members can miss each of two lists, or only the first one."""
    made = of_two()
    members(made, 1_000, before)
    members(made, 50_000, "c0:1 c1:2", before)
    chances, _ = said(made, "settling", "no rebalance saw the broker's new list of members within the wait and 12 s")
    assert chances == found


def reconnected(*, listed=False):
    """A member that the broker lists on port 1 connects from port 2, after 50 s."""
    made = of_two()
    beats(made, "c0", 900, port=1)
    members(made, 1_000, "c0:1 c1:9")
    made.asks("c0", 50_000, LIST, Request(consumer_group="G"), port=2, answered=50_000, answer=50_000)
    if listed:
        members(made, 50_050, "c0:2 c1:9", "c0:1 c1:9")
    return made


@each(("listed", "found"), [(True, (1, 0)), (False, (1, 1))])
def test_new_connection_with_an_answered_heartbeat_is_listed_at_once(listed, found):
    made = reconnected(listed=listed)
    beats(made, "c0", 50_001, port=2)
    assert said(made, "registry", ANEW) == found


def test_new_connection_without_a_heartbeat_is_not_listed():
    assert said(reconnected(), "registry", ANEW) == (1, 1)


@each(
    ("why", "beat"),
    [
        ("the answer is late", {"took": 2_001, "port": 2}),
        ("the client has closed the connection", {"answered": False, "port": 2}),
        ("another heartbeat has the lock", {"answered": False, "port": 1}),
    ],
)
def test_new_connection_whose_heartbeat_is_not_registered_at_once_is_no_chance(why, beat):
    made = reconnected()
    beats(made, "c0", 50_000, **beat)
    assert said(made, "registry", ANEW) == (0, 0), why


@each(("later", "found"), [(2_050, (0, 0)), (2_051, (1, 1))])
def test_connection_that_the_client_soon_replaces_is_no_chance(later, found):
    """The later connection is listed."""
    made = reconnected()
    beats(made, "c0", 50_000 + later, port=3)
    members(made, 50_001 + later, "c0:3 c1:9", "c0:1 c1:9")
    chances, bad = said(made, "registry", ANEW)
    assert (chances - 1, bad) == found


@each(("until", "found"), [(70_000, (0, 0)), (None, (1, 1))])
def test_new_connection_to_a_frozen_broker_is_no_chance(until, found):
    made = reconnected()
    beats(made, "c0", 50_001, port=2)
    if until:
        frozen(made, 49_000, until)
    assert said(made, "registry", ANEW) == found


def listed_twice(at):
    made = of_two()
    beats(made, "c0", 900)
    ids = Response(code=0, ids=("c0", "c0", "c1"))
    made.asks("c0", at, LIST, Request(consumer_group="G"), answered=at, response=ids)
    return made


@each(("later", "found"), [(162_050, (0, 0)), (162_051, (1, 1))])
def test_broker_that_was_frozen_can_list_an_ended_connection_until_a_scan(later, found):
    """The broker's clients reconnect for 30 s after its pause."""
    made = listed_twice(60_000 + later)
    frozen(made, 20_000, 60_000)
    assert said(made, "registry", TWICE) == (found[0], 1)
    assert said(made, "registry", f"{TWICE}, after the broker had been away or had paused") == (0, 1 - found[1])


def test_list_before_a_brokers_end_is_a_chance():
    made = listed_twice(50_000)
    made.add(Signal, DRIVER, 300_000, of="b0", signal="SIGKILL")
    assert said(made, "registry", TWICE) == (1, 1)


@each(("broker", "found"), [("b0", (0, 0)), ("b1", (1, 1))])
def test_broker_that_a_member_never_reaches_does_not_list_it(broker, found):
    """Each member's heartbeats arrive at the first broker, and that lists both."""
    made = of_two()
    made.broker("b1")
    for who in ("c0", "c1"):
        beats(made, who, 900)
    members(made, 950, "c0:1 c1:9")
    beats(made, "c1", 20_000, broker=broker)
    assert said(made, "registry", AGAIN) == (2 + found[0], found[1])


def test_list_of_a_brokers_earlier_process_is_not_that_of_the_new_one():
    made = of_two()
    beats(made, "c0", 900)
    members(made, 950, "c0:1")
    made.add(Signal, DRIVER, 50_000, of="b0", signal="SIGKILL")
    made.add(BrokerEnded, DRIVER, 50_000, of="b0")
    for kind in (BrokerStarting, BrokerStarted):
        made.add(kind, "b0", 60_000)
    beats(made, "c0", 70_000)
    assert said(made, "registry", AGAIN) == (2, 1)


@each(("hears", "found"), [((), (0, 0)), (("b1",), (1, 1))])
def test_brokers_differ_if_one_hears_no_heartbeat_of_a_member(hears, found):
    made = of_two()
    made.broker("b1")
    for broker in ("b0", *hears):
        for at in range(1_000, 160_000, 30_000):
            beats(made, "c0", at, broker=broker)
    members(made, 1_050, "c0:1")
    assert said(made, "registry", DIFFER, 160_000) == found


@each(("registered", "found"), [(1, (1, 1)), (40_000, (0, 0))])
def test_brokers_agree_only_after_a_late_heartbeat_has_expired(registered, found):
    """A broker lists a connection from the registration of its heartbeat on, although the client has closed it."""
    made = of_two()
    made.broker("b1")
    beats(made, "c0", 1_000, port=2, took=registered, answered=False)
    members(made, 1_000 + registered, "c0:2")
    assert said(made, "registry", DIFFER, 160_000) == found


@each(("again", "found"), [(15_000, (1, 1)), (25_000, (0, 0))])
def test_subscription_that_is_away_during_a_change_keeps_the_old_queues(again, found):
    """The topic has more queues after 20 s; the consumer unsubscribes before, and subscribes again."""
    made = of_two()
    made.add(Topic, "p", 19_000, topic="T1", queues=2)
    for at, queues in ((10_000, (Q,)), (20_000, (Q, "T1:b0:1"))):
        made.add(Queues, "p", at, topic="T1", queues=queues)
    made.add(Unsubscribed, "c0", 12_000, topic="T1")
    made.add(Subscribed, "c0", again, topic="T1")
    made.add(Allocate, "c0", 60_000, topic="T1", mq_all=(Q,), cid_all=("c0", "c1"), result=(Q,))
    assert said(made, "registry", ROUTED) == found
    assert said(made, "registry", OUTDATED) == (0, found[1])


@each("version, found", [(9, (1, 1)), (5, (0, 1))])
def test_heartbeat_with_an_older_version_is_not_that_of_the_new_queue(version, found):
    """A periodic heartbeat is under way when the queue is added, so none with the new version is sent.

    The refused pull then shows the refuted claim without that assumption, and is no chance of the proved one.
    """
    made = of_two()
    held(made, "c0", 10_000, 90_000)
    beat = Request(client_id="c0", groups=(GroupData(group="G", subs={"T1": f"*@{version}"}),))
    made.asks("c0", 10_020, BEAT, beat, heard=10_021, answered=10_022, answer=10_023)
    pull = Request(q=Q, consumer_group="G", queue_offset=0, sub_version=9)
    made.asks("c0", 10_500, PULL, pull, heard=10_501, answered=10_502, answer=10_503, response=Response(code=25))
    assert said(made, "subscriptions", "the first pull of a new queue was refused") == found


@each("asks, found", [(True, (1, 1)), (False, (0, 0))])
def test_lock_of_an_earlier_process_with_the_same_id_is_no_chance(asks, found):
    made = of_two(mode="ordered")
    made.add(Table, "b0", 1_000, what="lock", of=f"G {Q}", is_="c0", was=None)
    if asks:
        locks = Request(client_id="c0", consumer_group="G", queues=(Q,))
        times = {"heard": 20_001, "answered": 20_002, "answer": 20_003}
        made.asks("c0", 20_000, LOCK, locks, **times, response=Response(code=0, granted=(Q,)))
    made.add(ShutdownBegin, "c0", 50_000)
    made.add(ShutdownEnd, "c0", 50_100)
    assert said(made, "ordered", "a consumer still held the broker's lock after its shutdown") == found
