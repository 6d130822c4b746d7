"""Faults about the registry: the broker's code, terms, proofs."""

from tests.faults.fault import failing, fault, proving

LENGTHS = "tests/machines/test_machines.py::test_refuted_claim_has_the_expected_run_length_and_runs_by_the_code"
ENUMERATED = "enumerate registry.java_v4_9_to_v5_3.gone --quick"

FAULTS = (
    fault(
        "scan-is-early",
        "ConsumerManager.scan_not_active_channel",
        "if now - info.last_update_timestamp > self.channel_expired_timeout:",
        "if now - info.last_update_timestamp >= self.channel_expired_timeout:",
        ENUMERATED,
        "java_v4_9_to_v5_3 registry: both sides differ in",
    ),
    fault(
        "groups-do-not-share",
        "Group.puts",
        (
            "self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), info, self.now)\n"
            "    self._produces(info)"
        ),
        (
            "alone = ClientChannelInfo(self.channel, ID, self.now)\n"
            "    self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), alone, self.now)\n"
            "    self._produces(alone)"
        ),
        proving("registry.java_v4_9_to_v5_3.gone.without-other-group"),
        "registry.java_v4_9_to_v5_3.gone.without-other-group: expected REFUTED, is",
    ),
    fault(
        "terms-scan-sooner",
        "expired",
        "return s.now - at > lim.expired",
        "return s.now - at > lim.scan",
        proving("registry.java_v4_9_to_v5_3.listed"),
        "registry.java_v4_9_to_v5_3.listed: expected PROVED, is",
    ),
    fault(
        "terms-scan-tells",
        "scans",
        "heard = And(c.first, Or(mine, old, others))",
        "heard = Or(mine, old, others)",
        proving("registry.java_v4_9_to_v5_3.told.without-close"),
        "registry.java_v4_9_to_v5_3.told.without-close: expected REFUTED, is",
    ),
    fault(
        "start-that-throws-goes-on",
        "Group.throws",
        ("self.threw, self.change = (True, self.now)\n    if self.stops:\n        self.leaves()"),
        "self.threw, self.change = (True, self.now)",
        "enumerate registry.java_v5_3_2_to_v5_3_3.not-started --quick",
        "java_v5_3_2_to_v5_3_3 registry: both sides differ in",
    ),
    fault(
        "one-record-for-all-groups",
        "Group.own",
        "return info if self.shares else replace(info)",
        "return info",
        "enumerate registry.java_v5_5_1.gone --quick",
        "java_v5_5_1 registry: both sides differ in",
    ),
    fault(
        "terms-share-a-record",
        "refreshes",
        "return step(And(other, s.mine), at=s.now if client.shares else s.at)",
        "return step(And(other, s.mine), at=s.now)",
        proving("registry.java_v5_5_1.gone"),
        "registry.java_v5_5_1.gone: expected PROVED, is",
    ),
    fault(
        "narrowed-to-longer-runs",
        "LAST",
        "'trails', ",
        "",
        *failing(f"{LENGTHS}[registry.java_v4_9_to_v5_3.gone.without-other-group]"),
    ),
    fault(
        "heartbeat-in-flight-excluded",
        "NONE_IN_FLIGHT",
        "',))",
        "',), narrows=('trails',))",
        proving("registry.java_v4_9_to_v5_3.good-bye.without-in-flight"),
        "registry.java_v4_9_to_v5_3.good-bye.without-in-flight: expected REFUTED, is",
    ),
    fault(
        "sent-in-two-steps",
        "WHOLE",
        "a send', allows=_except('replaces', lambda s: Not(s.copying)))",
        "a send')",
        proving("registry.java_v4_9_to_v5_3.told-late"),
        "registry.java_v4_9_to_v5_3.told-late: expected PROVED, is",
    ),
    fault(
        "the-other-broker-is-anyhow",
        "_step",
        "for one in invariant}",
        "for one in ()}",
        *failing("tests/machines/test_registry.py::test_two_brokers_are_two_states_with_one_invariant"),
    ),
)
