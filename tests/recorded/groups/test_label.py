"""Short names of releases in consumers' start events."""

import pytest

from rebalance_proofs.recorded.groups.names import meant, numbers

BOTH = {"49", "53"}


@pytest.mark.parametrize(
    ("label", "labels", "run", "release"),
    [
        (None, {None}, "4.9.8", "4.9.8"),
        ("53", BOTH, "5.3.3", "5.3.3"),
        ("49", BOTH, "5.3.3", "4.9.8"),
        ("53", BOTH, "5.3.0", "5.3.0"),
        # a harness that goes on to name its own client so, in a recording of another release
        ("53", {"53"}, "5.1.4", "5.1.4"),
        ("49", BOTH, "5.1.4", "4.9.8"),
        ("53", {"51", "53"}, "5.1.4", "5.3.3"),
        ("51", {"51", "53"}, "5.1.4", "5.1.4"),
        ("53", {"53"}, "4.9.8", "5.3.3"),
        ("53", {"53"}, "", "5.3.3"),
        ("53", BOTH, "5.5.0", "5.5.0"),
        ("55", {"55", "53"}, "5.5.0", "5.5.0"),
        ("53", {"55", "53"}, "5.5.0", "5.3.3"),
        ("52", {"52"}, "", "5.2"),
        ("5.2.0", {"5.2.0"}, "5.3.3", "5.2.0"),
    ],
)
def test_release_label_is_parsed(label, labels, run, release):
    assert meant(label, labels, run) == release


def test_release_numbers_are_compared():
    assert numbers("5.10.2") > numbers("5.3.3") > numbers("5.3") > numbers("")
    assert numbers("5.3.3.acme") == (5, 3, 3)
