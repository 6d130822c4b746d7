"""Events of any process that runs RocketMQ."""

from dataclasses import dataclass

from rebalance_proofs.recorded.groups.event import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Release(Event):
    """The release of RocketMQ that the process runs."""

    rocketmq: str
    """Its name in ``MQVersion``: ``V5_3_3``."""
    java: str
    """The version of Java: ``17.0.15``."""

    @property
    def number(self) -> str:
        """The release's number: ``5.3.3``."""
        return self.rocketmq.removeprefix("V").partition("_SNAPSHOT")[0].replace("_", ".")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cannot(Event):
    """Events that cannot be recorded with this release, so their absence is no evidence."""

    what: tuple[str, ...]
    """Names of events, or ``table offset`` for changes of that table."""
    why: str
