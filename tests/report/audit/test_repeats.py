"""Repeated findings are folded; findings that differ in more than numbers and names are not."""

from rebalance_proofs.recorded.audit.finding import Finding, Interval, Level, What
from rebalance_proofs.report.audit.page import kinds


def finding(what=What.TWO, level=Level.SEEN, detail="x", at=0, long=1, members=("1@a",), causes=()):
    return Finding(what, level, "G", "T", members, (Interval(("T", "b", 0), at, at + long),), detail, causes, ())


def folded(*findings):
    return [[len(one.every) for one in kind.findings] for kind in kinds(findings, lambda one: one.level is Level.SEEN)]


def test_findings_that_differ_in_numbers_and_names_are_folded():
    assert folded(
        finding(detail="1@a committed 7", members=("1@a",)), finding(detail="2@bc committed 99", members=("2@bc",))
    ) == [[2]]


def test_findings_that_differ_in_certainty_words_or_cause_are_not_folded():
    assert folded(finding(), finding(level=Level.POSSIBLE), finding(detail="y"), finding(causes=("c",))) == [[1] * 4]


def test_longest_repeat_represents_the_others():
    (kind,) = kinds([finding(long=3, at=9), finding(long=8, at=5), finding(long=1, at=1)], lambda _: True)
    assert kind.findings[0].worst.long == kind.long == 8
    assert [one.at for _, one in kind.findings[0].every] == [1, 5, 9]


def test_failing_kinds_come_first_then_certain_ones():
    every = [finding(What.TWO, Level.POSSIBLE), finding(What.STORM), finding(What.BACK)]
    assert [kind.what for kind in kinds(every, lambda one: one.what is What.BACK)] == [What.BACK, What.STORM, What.TWO]
