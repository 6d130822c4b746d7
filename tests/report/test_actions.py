"""The sentence about compared actions: their number, and from how many states."""

from rebalance_proofs.report.claims.enumeration import Actions
from rebalance_proofs.spark_enum.results import ONE_IN, Enumerated, Finding

ACTIONS = Actions("steps", "levers", "of levers", "a lever")


def said(**bounds):
    found = (Finding("steps", "one", 1_200, 1_200, bounds=bounds), Finding("steps", "two", 34, 34, bounds=bounds))
    enumeration = ACTIONS.enumeration("levers")
    return [*enumeration.facts(Enumerated("", "", found)), *enumeration.lines(found, False)]


def test_tried_states_are_mentioned():
    assert said() == ["1,234 actions of levers compared", "compared levers, 2 clients: 1,234 actions, all agree"]
    assert said(**{ONE_IN: 4}) == [
        "1,234 actions of levers compared, from one state in 4",
        "compared levers, 2 clients: 1,234 actions, from one state in 4, all agree",
    ]
