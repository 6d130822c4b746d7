"""The model of the gRPC clients' assignment step, and its comparison with released packages."""

import pytest

from rebalance_proofs.model.receiving.sdks import (
    PushConsumer,
    PythonPushConsumerV5_0,
    PythonPushConsumerV5_1_1,
    PythonPushConsumerV5_1_2,
    RustPushConsumer,
)
from rebalance_proofs.recorded.cache import cache
from rebalance_proofs.recorded.packages import sdk
from tests.each import each

VERSIONS = [*sdk.MODELS]
FIRST = ("answer", "T", [0])
OTHER = ("answer", "U", [0])


def loops(made, *steps):
    """The queues with their receive loops, and the loops of replaced process queues, after these steps."""
    return sdk.modelled(made, steps)[-1]


def test_python_begins_another_loop_with_each_new_topic():
    assert loops(PythonPushConsumerV5_1_1, FIRST, OTHER) == [[["T", 0, 2], ["U", 0, 1]], 0]
    assert loops(PythonPushConsumerV5_1_2, FIRST, OTHER) == [[["T", 0, 1], ["U", 0, 1]], 0]
    assert loops(PushConsumer, FIRST, OTHER) == [[["T", 0, 1], ["U", 0, 1]], 0]


def test_first_python_client_replaces_process_queues_at_each_scan():
    more = ("answer", "T", [0, 1])
    assert loops(PythonPushConsumerV5_0, FIRST, more, more, more) == [[["T", 0, 4], ["T", 1, 1]], 2]
    assert loops(PythonPushConsumerV5_1_1, FIRST, more, more, more) == [[["T", 0, 2], ["T", 1, 1]], 0]


def test_rust_ends_loops_of_other_topics():
    assert loops(RustPushConsumer, FIRST, OTHER) == [[["U", 0, 1]], 0]


@each("version", VERSIONS)
def test_released_package_equals_the_model(version):
    """Where ``python -m rebalance_proofs.recorded.packages.sdk`` has installed it."""
    if not any((cache() / "packages").glob(f"{sdk.NAME}-{version}-py*/rocketmq")):
        pytest.skip(f"{sdk.NAME}=={version} is not in the cache of releases")
    count, different = sdk.compared(version, 3)
    assert count == len(sdk.ALL) ** 3
    assert not different, different[0]


def test_other_model_is_noticed(monkeypatch):
    """A model of another version differs from the package."""
    if not any((cache() / "packages").glob(f"{sdk.NAME}-5.1.1-py*/rocketmq")):
        pytest.skip(f"{sdk.NAME}==5.1.1 is not in the cache of releases")
    monkeypatch.setattr(sdk, "MODELS", {"5.1.1": PythonPushConsumerV5_1_2})
    assert sdk.compared("5.1.1", 2)[1][0].steps


@each(
    ("words", "why"),
    [
        (["rocketmq-python-client==5.0.6"], "is not modelled: name one of 5.0.9, 5.1.1, 5.1.2"),
        (["rocketmq==5.1.1"], "is not a package that can be compared"),
        (["rocketmq-python-client==5.1.1", "--steps", "7"], "--steps needs a number from 1 to 6"),
    ],
)
def test_wrong_call_is_refused(words, why, capsys):
    with pytest.raises(SystemExit) as caught:
        sdk.main(words)
    assert caught.value.code == 2
    assert why in capsys.readouterr().err


def test_cache_that_cannot_be_written_is_reported(monkeypatch, tmp_path, capsys):
    (tmp_path / "file").touch()
    monkeypatch.setenv("REBALANCE_CACHE", str(tmp_path / "file"))
    with pytest.raises(SystemExit) as caught:
        sdk.main(["rocketmq-python-client==5.1.1"])
    assert caught.value.code == 2
    assert "cannot be written to the cache" in capsys.readouterr().err
