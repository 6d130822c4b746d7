"""Random scenarios: all kinds of steps, also at once, and members of several releases."""

import tomllib
from dataclasses import replace

from rebalance_proofs.recorded.live.distribution import Distribution
from rebalance_proofs.recorded.live.draw import draw
from rebalance_proofs.recorded.live.read import scenario, text
from rebalance_proofs.recorded.live.run import Setup
from rebalance_proofs.recorded.live.scenario import Member, every
from rebalance_proofs.recorded.live.step import STEPS, FreezeBroker, Partition, Together

DRAWN = [draw(3, number) for number in range(150)]
NEVER = {"ready", "renewed", "resume", "unsuspend", "throw", "thaw-broker"}
"""Steps that random scenarios do not have; ``resume`` and the like end a step without a duration."""


def test_random_scenarios_have_all_kinds_of_steps():
    assert len({text(one) for one in DRAWN}) == len(DRAWN)
    assert {step.do for one in DRAWN for step in every(one.steps)} == set(STEPS) - NEVER


def test_random_scenarios_overlap_broker_events_with_member_events():
    lanes = [step.lanes for one in DRAWN for step in one.steps if isinstance(step, Together)]
    assert len(lanes) > 30
    assert any(isinstance(first[0], FreezeBroker | Partition) for first, _ in lanes)
    for first, second in lanes:
        assert not {name for step in first for name in step.members} & {name for s in second for name in s.members}


def test_random_scenarios_change_limits_settings_and_ids():
    members = [member for one in DRAWN for member in one.members.values()]
    assert any(member.props for member in members)
    assert any(member.set for member in members)
    assert any(member.id for member in members)
    assert any(one.late for one in DRAWN)


def test_random_scenario_is_the_same_again_and_survives_its_file():
    for number in (1, 40, 77):
        again = scenario(tomllib.loads(text(DRAWN[number])), DRAWN[number].name)
        assert again == draw(3, number) == DRAWN[number]


def test_mixed_scenarios_have_members_of_at_least_two_releases():
    for number in range(20):
        made = draw(5, number, ("4.9.8", "5.3.3"))
        releases = {member.release for member in made.members.values()}
        assert releases == {"4.9.8", "5.3.3"}


def test_release_of_a_member_is_that_of_the_command_or_the_scenario():
    made = replace(draw(5, 1), members={"c0": Member(), "c1": Member(release="4.9.8"), "c2": Member(release="4.9.8")})
    client, older, named = (Distribution(f"{number}/*", number) for number in ("5.5.0", "4.9.8", "5.1.4"))
    setup = Setup("java", client, client, members={"c2": named, "other": named}, releases={"4.9.8": older})
    assert setup.of(made) == {"c1": older, "c2": named}
