"""Recorded events of any process that runs RocketMQ."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Event):
    """Event: the release of RocketMQ that the process runs."""

    rocketmq: str
    """Name of the release in RocketMQ's ``MQVersion``, such as ``V5_3_3``."""
    java: str
    """Version of Java, such as ``17.0.15``."""

    @property
    def number(self) -> str:
        """Number of the release, such as ``5.3.3``."""
        return self.rocketmq.removeprefix("V").partition("_SNAPSHOT")[0].replace("_", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cannot(Event):
    """Event: some events cannot be recorded with this release, so their absence is no evidence."""

    what: tuple[str, ...]
    """Names of events that cannot be recorded; ``table offset`` for changes of broker offsets."""
    why: str
