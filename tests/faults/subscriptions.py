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
        "model/machines/subscriptions/actions.py",
        "    return Or(Not(s.has), s.latest < s.mine)\n",
        "    return Not(s.has)\n",
        proving(f"{CLIENT}.own-tags.newest"),
        f"{CLIENT}.own-tags.newest: expected PROVED, is",
    ),
    fault(
        "a-tick-is-a-beat-late",
        "model/machines/subscriptions/actions.py",
        "next=s.next + lim.period, **_begun",
        "next=s.next + 2 * lim.period, **_begun",
        proving(f"{CLIENT}.accepted"),
        f"{CLIENT}.accepted: expected PROVED, is",
    ),
    fault(
        "first-pulls-are-not-put-off",
        "model/machines/subscriptions/actions.py",
        "    put_off = s.now >= s.moved + lim.delay if client.delays else True\n",
        "    put_off = True\n",
        proving("subscriptions.java_v5_0_to_v5_3.first-pull"),
        "subscriptions.java_v5_0_to_v5_3.first-pull: expected PROVED, is",
    ),
    fault(
        "answer-of-v2-is-not-heard",
        "model/machines/subscriptions/actions.py",
        "And(s.agrees, Or(s.full, s.known)) if client.fingerprints",
        "Or(s.full, s.known) if client.fingerprints",
        proving("subscriptions.java_v5_1_3_heartbeat_v2.answered-later"),
        "subscriptions.java_v5_1_3_heartbeat_v2.answered-later: expected PROVED, is",
    ),
    fault(
        "other-topics-are-alike",
        "model/machines/subscriptions/assumptions.py",
        '    allows={"others": lambda s, c, lim: c.topic == s.subscribes},\n',
        "",
        proving(f"{CLIENT}.calm"),
        f"{CLIENT}.calm: expected PROVED, is",
    ),
)
