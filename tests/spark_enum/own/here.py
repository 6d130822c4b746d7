"""Strategies called in the tests' own process, where they are known to behave; and the tests' bounds."""

from collections.abc import Callable, Sequence

from rebalance_proofs.model.own.call import Call, Gave, Outcome, Refused
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import Checked, check
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces


class Calling:
    """``model.own.worker.Worker`` for a function of three or four arguments."""

    holds = ()

    def __init__(self, function: Callable, arguments: int = 3) -> None:
        self.name = function.__name__
        self._function, self._arguments = function, arguments

    def afresh(self) -> None:
        return None

    def answers(self, calls: Sequence[Call]) -> list[Outcome]:
        return [self._one(call) for call in calls]

    def _one(self, call: Call) -> Outcome:
        given = [call.consumer_group, call.current_cid, list(call.mq_all), list(call.cid_all)]
        try:
            return Gave(tuple(self._function(*given[4 - self._arguments :])))
        except Exception as error:
            return Refused("throws", f"throws {type(error).__name__}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def checked(function: Callable, arguments: int = 3, bound: int = 12, groups: int = 400) -> Checked:
    """Result of all spaces up to that many queues and consumers."""
    extent = Extent(Bounds(bound, bound, groups=groups))
    return check(spaces(extent), lambda number, *held: Calling(function, arguments))
