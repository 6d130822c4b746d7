"""Results that are written here, because no short call has all their parts."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from rebalance_proofs.model.own.asked import Changed, Printed
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.names import YOURS, Literals, given
from rebalance_proofs.model.queues import one_broker
from rebalance_proofs.proofs.own.proof import Proof
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.recorded.audit.connections import Leaving
from rebalance_proofs.recorded.audit.outcome import Audited, Coverage, File, GroupTold
from rebalance_proofs.recorded.cluster.judge import Verdict
from rebalance_proofs.recorded.cluster.tally import BEHAVIOURS, CODE, Near, Rejection, Tally
from rebalance_proofs.recorded.jar.conform import Compared, Difference
from rebalance_proofs.recorded.logs.mentions import Mention
from rebalance_proofs.recorded.logs.reading import Tally as Lines
from rebalance_proofs.recorded.logs.sights import Sight
from rebalance_proofs.recorded.logs.sources import Left
from rebalance_proofs.recorded.packages.steps import Difference as StepsDifference
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
TAKEN = ("answer", "T", [0]), ("expire", "T", 0), ("shutdown",)
OUT_OF_STEP = StepsDifference(TAKEN, [[["T", 0, 2]], 1], [[["T", 0, 1]], 0])
NEAR = Near(7, "c1", 3, "pulled T1 0", "c0")
REJECTED = Rejection(8, "c0", 4, "T1 0", "it was never locked", ("held",), ("lock",), (NEAR,))
TALLIES = Tally("ordered", BEHAVIOURS, 6, 2, 3, 1, 4, Counter(lock=3), [REJECTED]), Tally("trace", CODE, 5)
JUDGED = Verdict("relock", "5.3.3", 9, 0.25, TALLIES, {"odd": 1}, {"c0": "c0.jsonl"}, ("Like 5.3.",))
ACCEPTED = replace(JUDGED, tallies=TALLIES[1:])


def audit_of_lines(
    line: str = "lock-denied", *names: tuple[str, str], client: str = "5.3.3", grpc: bool = False
) -> tuple[Any, ...]:
    """An audit of lines that name no consumer group with a parser, but have a known meaning."""
    sight = Sight(1_000, 2_000, 3, 5, 2, names=dict.fromkeys(names or (("group", "G"), ("queue", "T b0 1"))))
    other = {"grpc" if grpc else "pop": 2}
    file = File("a.log", Lines(lines=9, dated=9, sights={line: sight}, **other), True, "", "whole.log")
    mentions = [Mention("G", "a.log", 4, 2)]
    left = [Left("core.7", "it is no log")]
    return (Audit(Audited([], [file], 0), left, Asked(client), {}, "00ff", mentions=mentions),)


AUDITS: Mapping[str, Callable[[], tuple[Any, ...]]] = {
    "lines": audit_of_lines,
    "grpc": partial(audit_of_lines, grpc=True),
    "in_group": partial(audit_of_lines, "lock-denied", ("group", "T")),
    "of_topic": partial(audit_of_lines, "lock-denied", ("topic", "T")),
    "of_other": partial(audit_of_lines, "lock-denied", ("topic", "T2")),
    "added": partial(audit_of_lines, "added"),
    "node_added": partial(audit_of_lines, "node-added"),
    "shared": partial(audit_of_lines, "share-changed"),
    "go_shared": partial(audit_of_lines, "go-share-changed"),
    "removed": partial(audit_of_lines, "removed"),
    "old_removed": partial(audit_of_lines, "removed", client="4.9.8"),
}


def audit_of_departures() -> tuple[Any, ...]:
    """An audit of a group of RocketMQ's own, which a consumer leaves, and of a table."""
    tables = [Table(("progress.txt",), (Seen(next(iter(Sign)), "no client"),), "G")]
    seen = Coverage(
        log="a.log", members=(("1@a", "a.log"),), first=1_000, last=9_000, silences=((2_000, 4_000),), version="V5_3_3",
        zone_known=True, commits=True, apart=None, other_zone=None, unnamed=0, undated=0, held=None,
    )  # fmt: skip
    gone = Leaving("1@a", 1_000, "the channel was closed", ("broker.log", 7))
    group = GroupTold(
        name="CID_ONSAPI_OWNER", spans=[], notices=[], rebalances=[], coverage=[seen], mirrored=[], findings=[],
        seen_members=1, lines=1, names={}, leavings=[gone],
    )  # fmt: skip
    return (Audit(Audited([group], [], 0), [], Asked("5.3.3"), {}, "00ff", tables),)


@cache
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


def elsewhere() -> tuple[Any, ...]:
    """A check of one guarantee with given names, which only other names break."""
    (answer,) = checked("overlaps")
    row = next(one for one in answer.checked.rows if one.name == "disjoint")
    yours = next(one for one in row.found if one.space.naming.name == YOURS)
    alone = replace(row, found=(yours,), smallest=None, elsewhere=row.smallest, only_yours=True)
    return (replace(answer, checked=replace(answer.checked, rows=(alone,))),)


def joins() -> tuple[Any, ...]:
    """A check of one guarantee of groups that a consumer joins, with one kind of names."""
    (answer,) = checked("overlaps")
    row = next(one for one in answer.checked.rows if one.name == "shrink")
    return (replace(answer, checked=replace(answer.checked, rows=(replace(row, found=row.found[:1]),))),)
