"""Legal changes of accepted recordings stay accepted."""

import pytest

from rebalance_proofs.recorded.cluster.judge import judge
from rebalance_proofs.recorded.cluster.legal import CHANGES, NotApplicable, changed
from rebalance_proofs.recorded.groups.run import shipped
from tests.each import each
from tests.recorded.groups.seen import SCENARIOS

SMALL = dict.fromkeys(CHANGES, "java-4.9.8/x_start_threw") | {"repeated": "java-4.9.8/c2_ordered_long"}
"""Change -> a small recording that is changed by default."""


def rejections(folder, scenario, kind, seed):
    version, _, name = scenario.partition("/")
    run = changed(shipped(version, name).folder, version.removeprefix("java-"), kind, seed, folder / kind / name)
    return judge(run, name).rejections


@each("kind", [*CHANGES])
def test_changed_recording_is_accepted(tmp_path, kind):
    assert rejections(tmp_path, SMALL[kind], kind, 0) == []


@each(
    ("scenario", "kind"),
    [
        ("java-4.9.8/reset", "repeated"),  # requests to reset offsets name times
        ("java-4.9.8/reset", "all paused"),  # so do versions of subscriptions
        ("java-5.3.3/mixed_late", "merged"),
        ("java-5.3.3/repairs", "renamed"),  # ids with hyphens
        ("java-4.9.7/last", "repeated"),  # consumers of several releases
        ("java-5.3.3/mixed_late", "polled later"),  # a process writes its release first
        ("java-4.9.8/freeze", "polled later"),  # a poll is made before a removal, and written after it
    ],
)
def test_changed_younger_recording_is_accepted(tmp_path, scenario, kind):
    assert rejections(tmp_path, scenario, kind, 1) == []


@pytest.mark.slow
@each("scenario", sorted(SCENARIOS))
@each("kind", [*CHANGES])
def test_changed_long_recording_is_accepted(tmp_path, scenario, kind):
    try:
        assert rejections(tmp_path, scenario, kind, 1) == []
    except NotApplicable:
        pytest.skip("not applicable")
