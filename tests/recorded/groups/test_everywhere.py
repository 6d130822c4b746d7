"""Properties of every recorded run, and claims about all of them."""

from itertools import pairwise

from rebalance_proofs.model.machines.settling.actions import DEFAULTS
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.recorded.groups.event import Event
from rebalance_proofs.recorded.groups.member import Allocate, Begin, EntryNew, OffsetRead
from tests.each import each
from tests.recorded.groups.seen import SCENARIOS, Seen, recorded_run


def calls_below(run: Seen) -> tuple[int, list[Begin]]:
    """How many calls of listeners there are, and those with what lies before the offset at which their entry began."""
    calls, below = 0, []
    for who in run.run.consumers:
        read: dict[str, int] = {}
        began: dict[str, int] = {}
        for event in run.of(Event, who):
            if isinstance(event, OffsetRead):
                read[event.q] = event.result
            elif isinstance(event, EntryNew):
                began[event.q] = read[event.q]
            elif isinstance(event, Begin):
                calls += 1
                if event.offsets[0] < began[event.q]:
                    below.append(event)
    return calls, below


@each("scenario", SCENARIOS)
def test_no_listener_gets_messages_before_the_start_offset(scenario):
    """No message before the committed offset that the new owner read is consumed again."""
    calls, below = calls_below(recorded_run(scenario))
    assert calls
    assert not below


def test_start_offset_matches_the_claims():
    for claim in select(["offsets.java_v4_9.only-uncommitted", "offsets.java_v5.only-uncommitted"]):
        assert claim.holds


@each("scenario", [scenario for scenario in SCENARIOS if "5.3.3" in scenario])
def test_rebalances_of_5_3_3_are_a_second_apart(scenario):
    run = recorded_run(scenario)
    for who in run.run.consumers:
        if run.version(who) == "5.3.3":
            rebalances = [event.at for event in run.of(Allocate, who) if event.topic == "T1"]
            assert all(later - at >= DEFAULTS.least for at, later in pairwise(rebalances)), who
