"""Properties of the registry beyond those of every declared machine."""

import random
from dataclasses import replace

import pytest

from rebalance_proofs.model.machines.registry.actions import CLIENTS
from rebalance_proofs.model.machines.registry.state import DEFAULTS
from rebalance_proofs.model.registry.broker import ConsumerGroupInfo, ProducerManager
from rebalance_proofs.proofs.kinds import KINDS
from rebalance_proofs.proofs.machine import declared
from rebalance_proofs.proofs.machine.kind import explored, timed_runs
from rebalance_proofs.spark_enum.machine.declared import steps
from tests.machines.registered import OFTEN_REGISTERED
from tests.machines.test_walks import limits_of, walk

CLAIMS, CONFIGURATION = KINDS["registry"].claims(), declared.configuration("registry")
ALL = CLIENTS[0]


@pytest.mark.parametrize("claim", [one for one in CLAIMS if not one.holds], ids=lambda claim: claim.id)
def test_registry_runs_use_the_default_limits(claim):
    assert timed_runs(CONFIGURATION).smallest(claim).group.limits == DEFAULTS


def test_every_proved_registry_guarantee_has_a_mutant():
    named = {claim.guarantee.name for claim in CLAIMS if claim.holds and claim.mutants}
    assert named == {claim.guarantee.name for claim in CLAIMS if claim.holds} - {"as-long", "route-as-long"}


def test_two_brokers_are_two_states_with_one_invariant():
    claim = next(one for one in CLAIMS if one.guarantee.name == "agree" and one.holds)
    same = next(one for one in claim.obligations if one.name == "same")
    assert {f"other_{name}" for name in CONFIGURATION.own} <= {*same.variables}
    given = same.statement(ALL.encoding).given
    assert [
        f"At the other broker: {one.sentence}" in given for one in claim.guarantee.induction(claim.world).invariant
    ] == [True] * 7


def scales():
    """For claims that hold and those that do not: limits in ms, limits in ticks, and the last tick."""
    for claim in {claim.holds: claim for claim in CLAIMS}.values():
        of = CONFIGURATION
        examples, ticks = of.of_claim(claim)
        yield examples, ticks, of.last(claim)


def test_registry_tick_is_ten_seconds():
    assert len({ticks for _, ticks, _ in scales()}) == 2
    for examples, ticks, _ in scales():
        assert {name: -(-value // 10_000) for name, value in vars(examples).items()} == vars(ticks)


def test_exploration_is_longer_than_every_guaranteed_duration():
    for _, ticks, end in scales():
        assert end > max(ticks.beat, ticks.expired + ticks.scan, ticks.collect, ticks.poll)


@pytest.mark.parametrize("client", CLIENTS[1:], ids=lambda client: client.name)
def test_releases_differ_in_the_expected_actions(client):
    differ = {*(("starts", "reconnects") if client.greets else ()), *(("throws",) if client.stops else ())}
    differ |= set() if client.shares else {"refreshes", "puts"}
    for name in CONFIGURATION.machine.actions:
        one, other = (getattr(of.encoding, name)(*CONFIGURATION.symbols) for of in (ALL, client))
        same = [mine is yours for mine, yours in zip(vars(one.after).values(), vars(other.after).values(), strict=True)]
        assert all(same) is (name not in differ), name


def test_old_client_stays_listed_after_a_failed_start_at_broker_5_5_1():
    """Up to 5.3.1, a member whose start throws sends heartbeats: the claim assumes later clients."""
    (claim,) = [one for one in CLAIMS if one.id == "registry.java_v5_5_1.not-started"]
    later = claim.subjects[0]
    assert any("5.3.2" in one for one in claim.world.premises)
    assert explored(CONFIGURATION, later.encoding, claim) is None
    assert explored(CONFIGURATION, replace(later, stops=False).encoding, claim)


@pytest.mark.parametrize("action", ["puts", "lags"])
def test_heartbeat_without_a_recorded_time_is_detected(action, monkeypatch):
    right = ConsumerGroupInfo.update_channel

    def forgets(self, info, now):
        known = self.channel_info_table.get(info.channel)
        return right(self, info, known.last_update_timestamp if known else now)

    monkeypatch.setattr(ConsumerGroupInfo, "update_channel", forgets)
    monkeypatch.setattr(ProducerManager, "register_producer", lambda self, group, info, now: None)
    assert any(steps("registry")(ALL.name)(place).differing for place in places(action))


def places(action):
    return [place for place, move in enumerate(CONFIGURATION.moves) if move.action == action]


WALKED = [one for one in CLAIMS if not one.holds and one.guarantee.name in ("listed", "again", "once", "told")]


@pytest.mark.parametrize("claim", WALKED, ids=lambda claim: claim.id)
def test_random_walk_notices_a_broken_guarantee(claim):
    def bad(seed) -> bool:
        source = random.Random(seed)
        limits = limits_of(CONFIGURATION, claim, source)
        return walk(CONFIGURATION, claim.subjects[0], claim, limits, source, OFTEN_REGISTERED)

    assert any(map(bad, range(1_000)))
