"""Subscriptions that a broker replaces in turn, because members of a group subscribe differently."""

import pytest

from rebalance_proofs.recorded.audit.finding import Level, What
from tests.recorded.audit.audited import audited
from tests.recorded.audit.test_said import broker

DATA = "SubscriptionData [classFilterMode=false, topic=T, subString={0}, tagsSet=[{0}], codeSet=[65], subVersion=1]"


def replaced(second, old, new):
    return broker(second, f"subscription changed, group: G OLD: {DATA.format(old)} NEW: {DATA.format(new)}")


def removed(second):
    return broker(second, f"subscription changed, group: G remove topic T {DATA.format('*')}")


def added(second):
    return broker(second, f"subscription changed, add new topic, group: G {DATA.format('*')}")


@pytest.mark.parametrize(
    ("lines", "cause"),
    [
        ([replaced(0, "A", "B"), replaced(15, "B", "A"), replaced(30, "A", "B")], "tags-differ"),
        ([added(0), removed(10), added(20)], "subscriptions-overwritten"),
        ([replaced(0, "A", "B")], ""),
        ([replaced(0, "A", "B"), replaced(30, "B", "C")], ""),
        ([added(0)], ""),
    ],
)
def test_subscription_that_comes_back_is_of_another_member(lines, cause, tmp_path):
    """Seeded fault: a broker's log in which members overwrite each other's subscription has no finding."""
    (group,) = audited(tmp_path, {"broker.log": lines}).groups
    found = [one for one in group.findings if one.what is What.VIEWS]
    assert [(one.level, one.topic, one.causes) for one in found] == ([(Level.SEEN, "T", (cause,))] if cause else [])
