"""Check that a scenario is valid, before any process is started."""

from collections.abc import Iterable

from rebalance_proofs.recorded.groups.member import subscriptions, tags_of
from rebalance_proofs.recorded.live.artifacts import RELEASE
from rebalance_proofs.recorded.live.scenario import Member, Scenario, every
from rebalance_proofs.recorded.live.step import (
    FreezeBroker,
    Join,
    Kill,
    KillBroker,
    Queues,
    Ready,
    Renewed,
    Reset,
    Resume,
    Shutdown,
    StartBroker,
    Step,
    Stop,
    StopBroker,
    Subscribe,
    Suspend,
    ThawBroker,
    Throw,
    Together,
    Unsubscribe,
    Unsuspend,
)
from rebalance_proofs.recorded.rows import quoted

MOST_MEMBERS, MOST_BROKERS, MOST_QUEUES, MOST_RATE = 32, 4, 256, 1000
LONGEST = 3600.0
"""Longest time that a step may have, in seconds."""
LISTENER = 600_000
"""Longest duration of a listener call that a scenario may have, in ms."""
OURS = ("driver", "ns", "p", "b0", "b1", "b2", "b3")
"""Names of a run's other processes, which consumers cannot have."""
WAITED = (Shutdown, Subscribe, Suspend, Throw, Unsubscribe, Unsuspend)
"""Types of steps that a consumer's process has to answer."""
PLACES = ("hook", "store", "callback", "interrupt")
"""Places at which pulls can throw, or where their thread can be interrupted."""
ENDS = ("first", "last")
"""Offsets of a queue to which a group can be reset, by name."""
MOST_TIMES = 1000
WORD = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"


def check(scenario: Scenario) -> None:
    """Raise ``ValueError`` with a sentence about the first invalid part."""
    _within(scenario.brokers, 1, MOST_BROKERS, "brokers")
    if not scenario.topics:
        raise ValueError('"topics" is empty; name at least one, such as topics = { T1 = 8 }')
    for topic, queues in scenario.topics.items():
        _word(topic, "a topic's name")
        _within(queues, 1, MOST_QUEUES, f"queues of {topic}")
    _within(scenario.send.rate, 1, MOST_RATE, "rate")
    for tag in scenario.send.tags or ("",):
        _word(tag, "a tag")
    _seconds(scenario.send.first, "first")
    _seconds(scenario.patience, "patience")
    _within(len(scenario.members), 1, MOST_MEMBERS, "number of members")
    for name, member in scenario.members.items():
        _member(scenario, name, member)
    _lives(scenario)
    _brokers(scenario)
    for step in every(scenario.steps):
        _step(scenario, step)


def _member(scenario: Scenario, name: str, member: Member) -> None:
    if name in OURS:
        raise ValueError(f"a member cannot be called {name}, which is the name of another process; choose another name")
    if member.mode not in ("concurrent", "ordered"):
        raise ValueError(f"the mode of {name} is {quoted(member.mode)}; write concurrent or ordered")
    if member.from_ not in ("FIRST", "LAST"):
        raise ValueError(f'"from" of {name} is {quoted(member.from_)}; write FIRST or LAST')
    if member.release is not None and not RELEASE.fullmatch(member.release):
        raise ValueError(f"the release of {name} is {quoted(member.release)}; write one such as 4.9.8")
    _within(member.ms, 0, LISTENER, f"ms of {name}")
    _word(member.group, f"the group of {name}")
    _word(member.id or name, f"the id of {name}")
    for topic in member.topics:
        _topic(scenario, topic, f"member {name}")
    for tags in subscriptions(member.sub).values():
        _tags(tags, f"member {name}")


def _lives(scenario: Scenario) -> None:
    """Check that each consumer joins before other steps, and has no step after its end."""
    joined: set[str] = set()
    gone: set[str] = set()
    for step in every(scenario.steps):
        if isinstance(step, Together):
            continue
        for name in step.members:
            if name not in scenario.members:
                raise ValueError(f'{step.do} of {quoted(name)}: the member is unknown; add it under "members"')
            if isinstance(step, Join) and name in joined:
                raise ValueError(f"{name} joins twice; to let it come back, add another member with the same id")
            if not isinstance(step, Join | Ready) and name not in joined:
                raise ValueError(f"{step.do} of {name} comes before it has joined")
            if isinstance(step, Ready) and name in joined:
                raise ValueError(f"{name} is made ready after it has joined; move the step before its join")
            if name in gone:
                raise ValueError(f"{step.do} of {name} comes after {name} has ended")
            joined |= {name} if isinstance(step, Join) else set()
            gone |= {name} if isinstance(step, Kill | Shutdown) else set()
    stopped: set[str] = set()
    for step in every(scenario.steps):
        if isinstance(step, Stop):
            if stopped & set(step.members):
                raise ValueError(f"{min(stopped & set(step.members))} is stopped twice")
            stopped |= set(step.members) if step.for_ is None else set()
        elif isinstance(step, Resume):
            stopped -= set(step.members)
        elif isinstance(step, WAITED) and stopped & set(step.members):
            raise ValueError(f"{step.do} of {min(stopped & set(step.members))} comes while this member is stopped")
    _suspended(scenario)
    if not joined:
        raise ValueError('no member joins; add a step with do = "join"')


def _suspended(scenario: Scenario) -> None:
    """Check that suspend and unsuspend alternate, and that no running consumer stays suspended."""
    suspended: set[str] = set()
    for step in every(scenario.steps):
        named = set(step.members)
        if isinstance(step, Suspend):
            if suspended & named:
                raise ValueError(f"{min(suspended & named)} is suspended twice")
            suspended |= named if step.for_ is None else set()
        elif isinstance(step, Unsuspend):
            if named - suspended:
                raise ValueError(f"{step.do} of {min(named - suspended)} comes while this member is not suspended")
            suspended -= named
        elif isinstance(step, Kill | Shutdown):
            suspended -= named
    if suspended:
        raise ValueError(
            f"{min(suspended)} stays suspended, so its messages would never be consumed; resume it at the end"
        )


def _brokers(scenario: Scenario) -> None:
    """Check that brokers end and start alternately, as they freeze and thaw, and that all of them run at the end."""
    down = set(scenario.late)
    if down == set(scenario.broker_names):
        raise ValueError(f"no broker runs at first; remove the first start-broker of {min(down)}, or add a broker")
    frozen: set[str] = set()
    for step in every(scenario.steps):
        if isinstance(step, FreezeBroker | ThawBroker):
            if step.of in down:
                raise ValueError(f"{step.do} of {step.of} comes while this broker is not running")
            if (step.of in frozen) is isinstance(step, FreezeBroker):
                state = "already frozen" if step.of in frozen else "not frozen"
                raise ValueError(f"{step.do} of {step.of} comes while this broker is {state}")
            if isinstance(step, ThawBroker):
                frozen.remove(step.of)
            elif step.for_ is None:
                frozen.add(step.of)
            continue
        if frozen and isinstance(step, StopBroker | Queues | Reset):
            raise ValueError(f"{step.do} comes while the broker {min(frozen)} is frozen, and would wait for it")
        if isinstance(step, KillBroker) and step.of in frozen:
            frozen.remove(step.of)
        if isinstance(step, StopBroker | KillBroker):
            if step.of in down:
                raise ValueError(f"{step.do} of {step.of} comes after this broker has ended")
            down.add(step.of)
        elif isinstance(step, StartBroker):
            if step.of not in down:
                raise ValueError(f"{step.do} of {step.of} comes while this broker is running")
            down.remove(step.of)
        elif isinstance(step, Queues | Reset) and down - scenario.late:
            raise ValueError(f"{step.do} of {step.topic} comes after the broker {min(down)} has ended")
    if frozen:
        raise ValueError(
            f"the broker {min(frozen)} stays frozen, so its messages would never be consumed; thaw it at the end"
        )
    if down:
        raise ValueError(
            f"the broker {min(down)} is not started again, so its messages would never be consumed; start it at the end"
        )


def _step(scenario: Scenario, step: Step) -> None:
    _seconds(step.then, "then")
    for name in ("linger", "for_", "age"):
        _seconds(getattr(step, name, None) or 0.0, name.rstrip("_"))
    if hasattr(step, "ms"):
        _within(step.ms, 0, LISTENER, f"ms of {step.do}")
    broker = getattr(step, "of", None) if step.do.endswith("broker") or step.do in ("delay", "partition") else None
    if broker is not None and broker not in scenario.broker_names:
        raise ValueError(f"{step.do} of {quoted(broker)}: the brokers are {', '.join(scenario.broker_names)}")
    if isinstance(step, Reset):
        groups = sorted({member.group for member in scenario.members.values()})
        if step.group not in groups:
            raise ValueError(f"reset of the unknown group {quoted(step.group)}; the groups are {', '.join(groups)}")
        if isinstance(step.to, str) and step.to not in ENDS:
            raise ValueError(f'"to" of reset is {quoted(step.to)}; write first, last, or a number of seconds')
        if not isinstance(step.to, str):
            _seconds(step.to, "to")
    if isinstance(step, Queues | Reset | Subscribe | Unsubscribe):
        _topic(scenario, step.topic, step.do)
    if isinstance(step, Subscribe):
        _tags(tags_of(step.tags), step.do)
    if isinstance(step, Queues):
        _within(step.to, scenario.topics[step.topic], MOST_QUEUES, f"queues of {step.topic}")
    if isinstance(step, Throw):
        if step.where not in PLACES:
            raise ValueError(f'"where" of throw is {quoted(step.where)}; write one of {", ".join(PLACES)}')
        _within(step.times, 1, MOST_TIMES, "times of throw")
    if isinstance(step, Renewed) and scenario.members[step.of].mode != "ordered":
        raise ValueError(f"renewed of {step.of}: the member is not ordered, and only ordered members renew locks")


def _topic(scenario: Scenario, topic: str, what: str) -> None:
    if topic not in scenario.topics:
        known = ", ".join(scenario.topics)
        raise ValueError(f'{what} names the unknown topic {quoted(topic)}; "topics" contains {known}')


def _tags(tags: Iterable[str], what: str) -> None:
    for tag in sorted(set(tags) - {"*"}):
        _word(tag, f"a tag of {what}")


def _word(text: str, what: str) -> None:
    if not text or set(text) - set(WORD):
        raise ValueError(f"{what} is {quoted(text)}, which may contain only letters, digits, _ and -")


def _within(number: int, least: int, most: int, what: str) -> None:
    if not least <= number <= most:
        raise ValueError(f"{what} is {number}, not between {least} and {most}")


def _seconds(number: float, what: str) -> None:
    if not 0 <= number <= LONGEST:
        raise ValueError(f'"{what}" is {number}, not between 0 and {LONGEST:g} seconds')
