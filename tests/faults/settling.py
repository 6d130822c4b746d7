"""Faults about settling: the rebalance thread's code, terms, proofs."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate settling.java_v5_2_to_v5_3.settles --quick"

FAULTS = (
    fault(
        "thread-looks-twice",
        "ServiceThread.looks",
        "self.at = WOKEN if self.has_notified else RESETS",
        "self.at = RESETS",
        ENUMERATED,
        "java_v5_2_to_v5_3 wake-ups: both sides differ in",
    ),
    fault(
        "thread-parks-unchecked",
        "ParkingServiceThread.checks",
        "self.at = CLEARS if self.has_notified or now >= self.since + interval else WAITS",
        "self.at = CLEARS if now >= self.since + interval else WAITS",
        "enumerate settling.java_v5_5_1.settles --quick",
        "java_v5_5_1 wake-ups: both sides differ in",
    ),
    fault(
        "terms-end-on-a-permit",
        "wakes",
        "return step(s.at == WAITS, at=If(s.interrupted, CLEARS, CHECKS), open=False, **_cut(s, s.flag))",
        "return step(s.at == WAITS, at=If(Or(s.interrupted, s.open), CLEARS, CHECKS), open=False, **_cut(s, s.flag))",
        proving("settling.java_v5_5_1.waits"),
        "settling.java_v5_5_1.waits: expected PROVED, is",
    ),
    fault(
        "terms-wait-longer",
        "postpones",
        "lim.least - (s.now - s.last))",
        "lim.least + lim.wait)",
        proving("settling.java_v5_2_to_v5_3.settles"),
        "settling.java_v5_2_to_v5_3.settles: expected PROVED, is",
    ),
    fault(
        "a-wake-up-between",
        "BETWEEN",
        ", lim: s.at != RESETS))",
        ", lim: True))",
        proving("settling.java_v4_9_to_v5_1.woken"),
        "settling.java_v4_9_to_v5_1.woken: expected PROVED, is",
    ),
    fault(
        "an-action-left-out",
        "Induction._known",
        ") and name not in self.world.excludes))",
        ") and name != 'stirs' and (name not in self.world.excludes)))",
        proving("settling.java_v5_2_to_v5_3.settles"),
        "actions of machines covered by invariant proofs: ",
    ),
)
