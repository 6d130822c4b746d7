"""Since 5.0 an ordered push consumer has two threads that renew its locks; up to 4.9.8 it has one."""

from collections import defaultdict
from itertools import pairwise

from rebalance_proofs.model.machines.ordered.state import DEFAULTS
from rebalance_proofs.recorded.groups.member import Ask, Started
from tests.each import each
from tests.recorded.groups.seen import LOCK, SCENARIOS, Seen, recorded_run

ORDERED = [scenario for scenario in SCENARIOS if recorded_run(scenario).ordered()]
AS_SHIPPED = [
    "java-5.3.3/relock",
    "java-5.3.3/ordered_all",
    "java-4.9.8/n_await_ordered",
    "java-4.9.8/o_shutdown_ordered",
]
"""Where the broker is there all the time and all that is asked is renewals, as listeners are not too slow for locks."""


def renewals(run: Seen, who: str) -> dict[str, list[int]]:
    """When each of a consumer's threads asked for all its locks."""
    found = defaultdict(list)
    for event in run.of(Ask, who):
        if (
            event.code == LOCK
            and event.thread.startswith("ConsumeMessageScheduledThread")
            and len(event.said.queues) > 1
        ):
            found[event.thread].append(event.at)
    return found


@each("scenario", ORDERED)
def test_number_of_renewers_depends_on_the_release(scenario):
    run = recorded_run(scenario)
    for who in run.ordered():
        if len(run.of(Started, who)) == 1 and (threads := renewals(run, who)):
            group = run.group(who)
            own, of_pop = f"ConsumeMessageScheduledThread_{group}_1", "ConsumeMessageScheduledThread_1"
            assert set(threads) == ({own, of_pop} if run.version(who) == "5.3.3" else {of_pop}), who


@each("scenario", AS_SHIPPED)
def test_each_renewer_asks_every_20_s(scenario):
    run = recorded_run(scenario)
    periods = [
        later - at for who in run.ordered() for times in renewals(run, who).values() for at, later in pairwise(times)
    ]
    assert len(periods) > 5
    assert all(abs(period - DEFAULTS.renewal) < 150 for period in periods)


def test_second_renewer_is_no_second_chance():
    """They were started together, with equal periods: both ask within a fifth of a second."""
    for scenario in ("java-5.3.3/relock", "java-5.3.3/ordered_all"):
        run = recorded_run(scenario)
        for who in run.ordered():
            one, other = renewals(run, who).values()
            both = [(at, min(other, key=lambda asked, at=at: abs(asked - at))) for at in one]
            near = [abs(at - nearest) for at, nearest in both if abs(at - nearest) < DEFAULTS.renewal / 2]
            assert max(near) < 200, who
