"""Pulls refused for a missing subscription: when they are repeated, and by which client."""

from rebalance_proofs.model.machines.subscriptions.state import DEFAULTS
from rebalance_proofs.model.subscriptions import Refusal
from rebalance_proofs.recorded.groups.broker import Answered
from rebalance_proofs.recorded.groups.member import Answer, Ask, EntryGone, EntryNew
from tests.each import each
from tests.recorded.groups.seen import PULL, SCENARIOS, Seen, asked_of_broker, following, recorded_run, refused

RETRY = 1_000
"""``pullTimeDelayMillsWhenException`` as shipped: ``ClientConfig``'s value is written over the field's 3000."""
EXIST, LATEST = Refusal.SUBSCRIPTION_NOT_EXIST.value, Refusal.SUBSCRIPTION_NOT_LATEST.value


def ages(run: Seen, code: int) -> list[tuple[str, int]]:
    """How old an entry was when its pull was refused, with whose."""
    began: dict[tuple[str, str], list[int]] = {}
    for new, _ in run.entries():
        began.setdefault((new.who, asked_of_broker(new.q)), []).append(new.at)
    return [
        (ask.who, event.at - max(at for at in began[ask.who, ask.said.q] if at <= ask.at))
        for event, ask in refused(run, code)
    ]


def retries(run: Seen) -> list[int]:
    """Milliseconds from the arrival of a refusal to the queue's next pull, where its entry stays."""
    asked = {(ask.who, ask.opaque): ask for pulls in run.pulls().values() for ask in pulls}
    changed = [(event.who, asked_of_broker(event.q), event.at) for event in run.of(EntryGone)]
    found = []
    for event in run.of(Answer, *run.run.consumers):
        if event.code == PULL and event.said.code in (EXIST, LATEST):
            ask = asked[event.who, event.opaque]
            again = following(run.pulls_of(ask.who, ask.said.q), ask.at)
            gone = [at for who, q, at in changed if (who, q) == (ask.who, ask.said.q) and at > ask.at]
            if again is not None and (not gone or again.at < min(gone)):
                found.append(again.at - event.at)
    return found


def test_refused_pull_of_5_3_3_is_repeated_after_1_s():
    found = retries(recorded_run("java-5.3.3/concurrent"))
    assert len(found) == 56
    assert min(found) >= RETRY
    assert sorted(found)[len(found) // 2] <= RETRY + 5


def test_no_refused_pull_is_repeated_sooner():
    found = retries(recorded_run("java-5.3.3/zoo"))
    assert len(found) == 469
    assert min(found) == RETRY


@each("scenario", ["java-4.9.8/b_sigstop", "java-4.9.8/j_shutdown"])
def test_refused_pull_of_4_9_8_is_repeated_after_1_s(scenario):
    """Its clients do not record answers: the broker's time is earlier than theirs."""
    run = recorded_run(scenario)
    found = [following(run.pulls_of(ask.who, ask.said.q), ask.at).at - event.at for event, ask in refused(run, LATEST)]
    assert len(found) in (7, 12)
    assert all(RETRY < ms < RETRY + 150 for ms in found)


def test_model_has_the_recorded_retry_time():
    assert DEFAULTS.retry == RETRY


def test_refused_pulls_of_4_9_8_belong_to_new_entries():
    """An entry's first pull precedes the heartbeat with the new version of the subscription."""
    found = [age for scenario in SCENARIOS if "4.9.8" in scenario for _, age in ages(recorded_run(scenario), LATEST)]
    assert len(found) == 19
    assert max(found) < 1_000


def test_new_entries_of_5_3_3_are_rarely_refused():
    """The heartbeat is usually sent within the 500 ms before the first pull: two of 200 pulls were refused."""
    found = [age for scenario in SCENARIOS if "5.3.3" in scenario for _, age in ages(recorded_run(scenario), LATEST)]
    assert len(found) == 59
    assert sum(age < 1_000 for age in found) == 2


def test_skipped_heartbeat_of_a_joiner_has_its_pulls_refused():
    run = recorded_run("java-5.3.3/concurrent")
    found = ages(run, LATEST)
    assert [who for who, _ in found] == ["c2"] * 56
    first, last = found[0][1], found[-1][1]
    assert first < 1_000
    assert 27_000 < last < 30_000
    new = {event.q: event.at for event in run.of(EntryNew, "c2") if event.q.startswith("T1")}
    beats = [event.at for event in run.of(Ask, "c2") if event.code == "HEART_BEAT"]
    assert not [at for at in beats if min(new.values()) < at < min(new.values()) + 28_000]
    (ended,) = (at for at in beats if at > min(new.values()))
    assert max(event.at for event, _ in refused(run, LATEST)) < ended
    for q in new:
        before = max(call.end for call in run.calls if call.q == q and call.who == "c1" and call.begin < new[q])
        after = min(call.begin for call in run.calls if call.q == q and call.who == "c2")
        assert 30_000 < after - before < 30_300


def test_refusals_have_one_of_two_codes():
    for scenario in SCENARIOS:
        codes = {event.said.code for event in recorded_run(scenario).of(Answered, "b0") if event.code == PULL}
        assert codes <= {EXIST, LATEST}, scenario
