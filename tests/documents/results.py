"""Results that are written here, because no short call has all their parts."""

from collections import Counter
from dataclasses import replace
from typing import Any

from rebalance_proofs.model.own.asked import Changed, Printed
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.names import Literals, given
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.recorded.audit.connections import Leaving
from rebalance_proofs.recorded.audit.outcome import Audited, File, GroupTold
from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, CODE, Near, Rejection, Tally
from rebalance_proofs.recorded.jar.conform import Compared, Difference
from rebalance_proofs.recorded.logs.mentions import Mention
from rebalance_proofs.recorded.logs.reading import Tally as Lines
from rebalance_proofs.recorded.logs.sights import Sight
from rebalance_proofs.recorded.logs.sources import Left
from rebalance_proofs.report.audit.answer import Answer as Audit
from rebalance_proofs.report.audit.answer import Printed as Table
from rebalance_proofs.report.own.answer import Answer, Strategy
from rebalance_proofs.report.symptoms.asked import Asked
from rebalance_proofs.report.symptoms.cause import Sign
from rebalance_proofs.report.symptoms.mqadmin.signs import Seen
from rebalance_proofs.spark_enum.bounds import Bounds
from rebalance_proofs.spark_enum.own.checked import check
from rebalance_proofs.spark_enum.own.named import with_names
from rebalance_proofs.spark_enum.own.repeated import Why
from rebalance_proofs.spark_enum.own.spaces import Extent, spaces
from tests.spark_enum.own import strategies
from tests.spark_enum.own.here import Calling

CALL = Call("G", "c0", one_broker(2), ("c0", "c1"))
DIFFERENCE = Difference(CALL, "gives [0]", "gives [0, 1]")
COMPARED, AGREES = Compared("AVG", 9, 2, DIFFERENCE, 1), Compared("AVG", 9)
STEPS = Compared("push", 5, 1, Difference(None, "pulls", "waits", "a new queue"))
NEAR = Near(7, "c1", 3, "pulled T1 0", "c0")
REJECTED = Rejection(8, "c0", 4, "T1 0", "it was never locked", ("held",), ("lock",), (NEAR,))
TALLIES = Tally("ordered", BEHAVIOURS, 6, 2, 3, 1, 4, Counter(lock=3), [REJECTED]), Tally("trace", CODE, 5)
JUDGED = Verdict("relock", "5.3.3", 9, 0.25, TALLIES, {"odd": 1}, {"c0": "c0.jsonl"}, ("Like 5.3.",))
ACCEPTED = replace(JUDGED, tallies=TALLIES[1:])


def audit_of_lines() -> tuple[Any, ...]:
    """An audit of lines that name no consumer group with a parser, but have a known meaning."""
    sight = Sight(1_000, 2_000, 3, 5, 2, names={("group", "G"): None, ("queue", "T b0 1"): None})
    file = File("a.log", Lines(lines=9, dated=9, sights={"lock-denied": sight}, pop=2), True, "", "whole.log")
    mentions = [Mention("G", "a.log", 4, 2)]
    left = [Left("core.7", "it is no log")]
    return (Audit(Audited([], [file], 0), left, Asked("5.3.3"), {}, "00ff", mentions=mentions),)


def audit_of_departures() -> tuple[Any, ...]:
    """An audit of a group of RocketMQ's own, which a consumer leaves, and of a table."""
    tables = [Table(("progress.txt",), (Seen(next(iter(Sign)), "no client"),), "G")]
    gone = Leaving("1@a", 1_000, "the channel was closed", ("broker.log", 7))
    group = GroupTold(
        name="CID_ONSAPI_OWNER", spans=[], notices=[], rebalances=[], coverage=[], mirrored=[], findings=[],
        seen_members=1, lines=1, names={}, leavings=[gone],
    )  # fmt: skip
    return (Audit(Audited([group], [], 0), [], Asked("5.3.3"), {}, "00ff", tables),)


def checked(name: str) -> tuple[Any, ...]:
    """A check of a strategy for small groups, with all that other strategies can cause."""
    function = getattr(strategies, name)
    names = given(("a", "b"), one_broker(3), Literals())
    assert names
    every = with_names(spaces(Extent(Bounds(2, 2))), [names])
    found = check(every, lambda number, *held: Calling(function))
    own = Strategy(f"mine.py:{name}", "python", "00ff")
    answer = Answer(own, ("rebalance", "check", own.name), found, proofs=(Proof("disjoint", False, "it loops"),))
    proved = Proof("covers", True, "", (Question("covers.base", "", ()),), "covers of mine.py", {"LIMIT": "3"})
    more = {"printed": Printed(CALL, ("x",)), "changed": Changed(CALL, "sorts mq_all"), "null": CALL, "why": Why.TIME}
    return (replace(answer, checked=replace(found, by_names=("reversed",), **more), proofs=(proved, *answer.proofs)),)
