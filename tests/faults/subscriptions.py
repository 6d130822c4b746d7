"""Faults about subscriptions: code of broker and client, terms, proofs."""

from tests.faults.fault import fault, proving

CLIENT = "subscriptions.java_v4_9_to_v5_3"
ENUMERATED = f"enumerate {CLIENT}.calm --quick"

FAULTS = (
    fault(
        "broker-takes-the-last-version",
        "ConsumerGroupInfo.update_subscription",
        "elif sub.sub_version > old.sub_version:",
        "else:",
        ENUMERATED,
        "java_v4_9_to_v5_3 heartbeats: both sides differ in",
    ),
    fault(
        "terms-refuse-nothing-old",
        "refuses",
        "return Or(Not(s.has), s.latest < s.mine)",
        "return Not(s.has)",
        proving(f"{CLIENT}.own-tags.newest"),
        f"{CLIENT}.own-tags.newest: expected PROVED, is",
    ),
    fault(
        "a-tick-is-a-beat-late",
        "ticks",
        "return step(s.now >= s.next, next=s.next + lim.period, **_begun(s, s.at == IDLE))",
        "return step(s.now >= s.next, next=s.next + 2 * lim.period, **_begun(s, s.at == IDLE))",
        proving(f"{CLIENT}.accepted"),
        f"{CLIENT}.accepted: expected PROVED, is",
    ),
    fault(
        "first-pulls-are-not-put-off",
        "firsts",
        "put_off = s.now >= s.moved + lim.delay if client.delays else True",
        "put_off = True",
        proving("subscriptions.java_v5_0_to_v5_3.first-pull"),
        "subscriptions.java_v5_0_to_v5_3.first-pull: expected PROVED, is",
    ),
    fault(
        "answer-of-v2-is-not-heard",
        "arrives",
        "known = And(s.agrees, Or(s.full, s.known)) if client.fingerprints else s.known",
        "known = Or(s.full, s.known) if client.fingerprints else s.known",
        proving("subscriptions.java_v5_1_3_heartbeat_v2.answered-later"),
        "subscriptions.java_v5_1_3_heartbeat_v2.answered-later: expected PROVED, is",
    ),
    fault(
        "other-topics-are-alike",
        "SAME_TOPICS",
        "topics differ\", allows={'others': lambda s, c, lim: c.topic == s.subscribes})",
        'topics differ")',
        proving(f"{CLIENT}.calm"),
        f"{CLIENT}.calm: expected PROVED, is",
    ),
)
