"""Claims and causes for a finding, for the client of the question."""

import pytest

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.report.audit.answer import behind
from rebalance_proofs.report.symptoms.asked import Asked

QUEUE = ("T", "b", 0)


@pytest.mark.parametrize(
    ("release", "what", "causes", "names"),
    [
        ("4.9.4", What.LISTENERS, ("slow-listener", "hand-over"), ["hand-over"]),
        ("4.9.5", What.LISTENERS, ("slow-listener", "hand-over"), ["slow-listener", "hand-over"]),
        ("", What.LISTENERS, ("slow-listener", "hand-over"), ["slow-listener", "hand-over"]),
        ("4.9.4", What.UNREAD, ("expired-pull",), ["expired-pull"]),  # else nothing would be named
        ("4.9.4", What.UNREAD, (), []),
    ],
)
def test_impossible_causes_are_omitted_where_another_fits(release, what, causes, names):
    one = Finding(what, Level.SEEN, "G", "T", ("a",), (Interval(QUEUE, 0, 1),), "x", causes, ())
    assert [found.cause.name for found in behind(one, Asked(release))] == names
