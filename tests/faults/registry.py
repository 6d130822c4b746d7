"""Faults about the registry: the broker's code, terms, proofs."""

from tests.faults.fault import failing, fault, proving

ENUMERATED = "enumerate registry.java_v4_9_to_v5_3.gone --quick"

FAULTS = (
    fault(
        "scan-is-early",
        "model/registry/broker.py",
        "            for channel, info in list(found.channel_info_table.items()):\n"
        "                if now - info.last_update_timestamp > self.channel_expired_timeout:\n",
        "            for channel, info in list(found.channel_info_table.items()):\n"
        "                if now - info.last_update_timestamp >= self.channel_expired_timeout:\n",
        ENUMERATED,
        "java_v4_9_to_v5_3 registry: both sides differ in",
    ),
    fault(
        "groups-do-not-share",
        "model/registry/group.py",
        "        self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), info, self.now)\n"
        "        self._produces(info)\n"
        "        self._heard(before, sent=there)\n",
        "        alone = ClientChannelInfo(self.channel, ID, self.now)\n"
        "        self.broker.register_consumer(OTHER_GROUP, self.broker.group_info(OTHER_GROUP), alone, self.now)\n"
        "        self._produces(alone)\n"
        "        self._heard(before, sent=there)\n",
        proving("registry.java_v4_9_to_v5_3.gone.without-other-group"),
        "registry.java_v4_9_to_v5_3.gone.without-other-group: expected REFUTED, is",
    ),
    fault(
        "terms-scan-sooner",
        "model/machines/registry/actions.py",
        "    return s.now - at > lim.expired\n",
        "    return s.now - at > lim.scan\n",
        proving("registry.java_v4_9_to_v5_3.listed"),
        "registry.java_v4_9_to_v5_3.listed: expected PROVED, is",
    ),
    fault(
        "terms-scan-tells",
        "model/machines/registry/actions.py",
        "    heard = And(c.first, Or(mine, old, others))\n",
        "    heard = Or(mine, old, others)\n",
        proving("registry.java_v4_9_to_v5_3.told.without-close"),
        "registry.java_v4_9_to_v5_3.told.without-close: expected REFUTED, is",
    ),
    fault(
        "start-that-throws-goes-on",
        "model/registry/group.py",
        "        if self.stops:\n            self.leaves()\n",
        "",
        "enumerate registry.java_v5_3_2_to_v5_3_3.not-started --quick",
        "java_v5_3_2_to_v5_3_3 registry: both sides differ in",
    ),
    fault(
        "one-record-for-all-groups",
        "model/registry/group.py",
        "        return info if self.shares else replace(info)\n",
        "        return info\n",
        "enumerate registry.java_v5_5_1.gone --quick",
        "java_v5_5_1 registry: both sides differ in",
    ),
    fault(
        "terms-share-a-record",
        "model/machines/registry/actions.py",
        "at=s.now if client.shares else s.at)\n",
        "at=s.now)\n",
        proving("registry.java_v5_5_1.gone"),
        "registry.java_v5_5_1.gone: expected PROVED, is",
    ),
    fault(
        "heartbeat-in-flight-excluded",
        "model/machines/registry/assumptions.py",
        '    excludes=("trails",),\n',
        '    excludes=("trails",),\n    narrows=("trails",),\n',
        proving("registry.java_v4_9_to_v5_3.good-bye.without-in-flight"),
        "registry.java_v4_9_to_v5_3.good-bye.without-in-flight: expected REFUTED, is",
    ),
    fault(
        "sent-in-two-steps",
        "model/machines/registry/assumptions.py",
        '    allows=_except("replaces", lambda s: Not(s.copying)),\n',
        "",
        proving("registry.java_v4_9_to_v5_3.told-late"),
        "registry.java_v4_9_to_v5_3.told-late: expected PROVED, is",
    ),
    fault(
        "the-other-broker-is-anyhow",
        "proofs/machine/declared.py",
        "for one in invariant}\n",
        "for one in ()}\n",
        *failing("tests/machines/test_registry.py::test_two_brokers_are_two_states_with_one_invariant"),
    ),
)
