"""Faults about subscriptions: code of broker and client, terms, proofs."""

from tests.faults.fault import fault, proving

CLIENT = "subscriptions.java_v4_9_to_v5_3"
ENUMERATED = f"enumerate {CLIENT}.calm --quick"

FAULTS = (
    fault(
        "broker-takes-the-last-version",
        "model/subscriptions/broker.py",
        "            elif sub.sub_version > old.sub_version:\n",
        "            else:\n",
        ENUMERATED,
        "java_v4_9_to_v5_3 heartbeats: both sides differ in",
    ),
    fault(
        "terms-refuse-nothing-old",
        "model/subscriptions/actions.py",
        "    return z3.Or(z3.Not(me.has), me.version < me.mine)\n",
        "    return z3.Not(me.has)\n",
        proving(f"{CLIENT}.own-tags.newest"),
        f"{CLIENT}.own-tags.newest: expected PROVED, is",
    ),
    fault(
        "a-tick-is-a-beat-late",
        "model/subscriptions/actions.py",
        "next=me.next + limits.period, **_begun",
        "next=me.next + 2 * limits.period, **_begun",
        proving(f"{CLIENT}.accepted"),
        f"{CLIENT}.accepted: expected PROVED, is",
    ),
    fault(
        "first-pulls-are-not-put-off",
        "model/subscriptions/actions.py",
        "        put_off = state.now >= me.moved + limits.delay if delays else YES\n",
        "        put_off = YES\n",
        proving("subscriptions.java_v5_0_to_v5_3.first-pull"),
        "subscriptions.java_v5_0_to_v5_3.first-pull: expected PROVED, is",
    ),
    fault(
        "answer-of-v2-is-not-heard",
        "model/subscriptions/actions.py",
        "z3.And(me.same, z3.Or(me.full, me.known))",
        "z3.Or(me.full, me.known)",
        proving("subscriptions.java_v5_1_3_heartbeat_v2.answered-later"),
        "subscriptions.java_v5_1_3_heartbeat_v2.answered-later: expected PROVED, is",
    ),
    fault(
        "other-topics-are-alike",
        "proofs/subscriptions/members.py",
        "            given += [said.topic == me.topic] if self.alike else []\n",
        "            given += []\n",
        proving(f"{CLIENT}.calm"),
        f"{CLIENT}.calm: expected PROVED, is",
    ),
)
