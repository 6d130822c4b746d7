"""Faults about settling: the rebalance thread's code, terms, proofs."""

from tests.faults.fault import fault, proving

ENUMERATED = "enumerate settling.java_v5_2_to_v5_3.settles --quick"

FAULTS = (
    fault(
        "thread-looks-twice",
        "model/settling/service_thread.py",
        "        self.at = WOKEN if self.has_notified else RESETS\n",
        "        self.at = RESETS\n",
        ENUMERATED,
        "java_v5_2_to_v5_3 wake-ups: both sides differ in",
    ),
    fault(
        "thread-parks-unchecked",
        "model/settling/service_thread.py",
        "        self.at = CLEARS if self.has_notified or now >= self.since + interval else WAITS\n",
        "        self.at = CLEARS if now >= self.since + interval else WAITS\n",
        "enumerate settling.java_v5_5_1.settles --quick",
        "java_v5_5_1 wake-ups: both sides differ in",
    ),
    fault(
        "terms-end-on-a-permit",
        "model/machines/settling.py",
        "at=If(s.interrupted, CLEARS, CHECKS), open=False",
        "at=If(Or(s.interrupted, s.open), CLEARS, CHECKS), open=False",
        proving("settling.java_v5_5_1.waits"),
        "settling.java_v5_5_1.waits: expected PROVED, is",
    ),
    fault(
        "terms-wait-longer",
        "model/machines/settling.py",
        "interval=lim.least - (s.now - s.last))\n",
        "interval=lim.least + lim.wait)\n",
        proving("settling.java_v5_2_to_v5_3.settles"),
        "settling.java_v5_2_to_v5_3.settles: expected PROVED, is",
    ),
    fault(
        "a-wake-up-between",
        "model/machines/settling.py",
        'allows=dict.fromkeys(("notifies", "stirs"), lambda s, c, lim: s.at != RESETS)',
        'allows=dict.fromkeys(("notifies", "stirs"), lambda s, c, lim: True)',
        proving("settling.java_v4_9_to_v5_1.woken"),
        "settling.java_v4_9_to_v5_1.woken: expected PROVED, is",
    ),
    fault(
        "an-action-left-out",
        "proofs/machine/induction.py",
        "if known[name].has(self.variant) and name not in",
        'if known[name].has(self.variant) and name != "stirs" and name not in',
        proving("settling.java_v5_2_to_v5_3.settles"),
        "actions of machines covered by invariant proofs: ",
    ),
)
