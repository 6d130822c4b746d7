"""The scenarios of the claims: how a client is used, and what is asked of its environment."""

from collections.abc import Callable
from dataclasses import replace

from model.client.environment import NOT_FOUND
from model.client.process_queue import FREE, PULL_MAX_IDLE_TIME
from model.transition.client import ORDERLY, ORDERLY_BROADCAST, Client, Mode
from model.transition.numbers import KINDS, LOCKS, THROWN
from proofs.transition.scenario import Limit, Scenario, exactly

OFFSETS_ANSWER = (Limit("stored", NOT_FOUND), Limit("queried", 0))
NOTHING_UNEXPECTED = (exactly("persist", 0), Limit("stored", THROWN + 1), Limit("queried", THROWN + 1))
BROKER_KNOWN = Limit("lock", highest=LOCKS.index("unlockexc"))
UNLOCK_ARRIVES = Limit("lock", highest=LOCKS.index("exc"))
NOT_OVERDUE = Limit("pull_age", highest=PULL_MAX_IDLE_TIME, passive_only=True)


def without_failure(round_: int | None = None) -> tuple[Limit, ...]:
    """Locks are granted, offsets found and persisted; in one round, or in all."""
    found = (Limit(name, 0, round=round_) for name in ("stored", "queried"))
    return exactly("lock", 0, round_), *found, exactly("persist", 0, round_)


BENIGN = (*without_failure(), exactly("consume_lock", FREE), exactly("dropped", 0), NOT_OVERDUE)


def everywhere(client: Client) -> Scenario:
    """However the client is used."""
    return Scenario(client.modes)


def pushing(client: Client) -> Scenario:
    """As a push consumer."""
    return _used(client, "push", lambda mode: KINDS[mode.kind].passive)


def pulling(client: Client) -> Scenario:
    """As a pull or lite pull consumer."""
    return _used(client, "pull and lite pull", lambda mode: not KINDS[mode.kind].passive)


def ordered(client: Client) -> Scenario:
    """As a push consumer of a group, with an ordered listener."""
    return _used(client, "push orderly", lambda mode: mode is ORDERLY)


def unordered(client: Client) -> Scenario:
    """In any other way."""
    return _used(client, "anything but push orderly", lambda mode: mode is not ORDERLY)


def broadcasting_with_locks(client: Client) -> Scenario:
    """Broadcasting, where the client asks for locks all the same."""
    return _used(client, "push orderly broadcasting", lambda mode: bool(mode.broadcasting and mode.order))


def broadcasting(client: Client) -> Scenario:
    """Broadcasting in any other way."""
    locking = any(mode.broadcasting and mode.order for mode in client.modes)
    named = "broadcasting but not push orderly" if locking else "broadcasting"
    return _used(client, named, lambda mode: mode.broadcasting and not mode.order)


def broadcasting_before_5_3_2(client: Client) -> Scenario:
    """Broadcasting as a client of 5.2 to 5.3.1 does it: the transition is called with isOrder."""
    return Scenario((ORDERLY_BROADCAST,), "push orderly broadcasting before 5.3.2")


def broadcasting_unthrown(client: Client) -> Scenario:
    """The same where a broadcasting consumer sends no offset, so that sending none can fail."""
    return replace(broadcasting(client), quiet=0)


def in_a_group(client: Client) -> Scenario:
    """However the client is used in a group that divides the queues."""
    return _used(client, "clustering", lambda mode: not mode.broadcasting)


def benignly(client: Client) -> Scenario:
    """Nothing fails."""
    sentence = (
        "locks are granted, offsets are found and persisted, no listener runs, no entry is dropped and no pull overdue"
    )
    return replace(everywhere(client), sentence=sentence, limits=BENIGN, quiet=0)


def twice(client: Client) -> Scenario:
    """Nothing fails in two rounds with the same mqSet."""
    return replace(benignly(client), rounds=2, same_set=True)


def in_one_group(client: Client) -> Scenario:
    """Nothing fails in any consumer of a group; all have the same view."""
    return replace(benignly(client), apart=True, limits=(*BENIGN, exactly("mine", 1)))


def with_foreign_queues(client: Client) -> Scenario:
    """The strategy gives queues of other topics, as CONFIG can."""
    return replace(everywhere(client), foreign=True, name="with-foreign-queues")


def persisting(client: Client) -> Scenario:
    """Persisting an offset never throws."""
    limits = (exactly("persist", 0),)
    return _premised(everywhere(client), "when-persist-works", "persisting an offset never fails", limits)


def expected(client: Client) -> Scenario:
    """A push consumer, and nothing is thrown that it does not expect."""
    sentence = "nothing is thrown that the client does not expect"
    return _premised(pushing(client), "when-nothing-unexpected", sentence, NOTHING_UNEXPECTED)


def broker_known(client: Client) -> Scenario:
    """An ordered consumer that knows its broker's address."""
    return replace(ordered(client), sentence="the broker's address is known", limits=(BROKER_KNOWN,))


def unlocks_arrive(client: Client) -> Scenario:
    """An ordered consumer whose unlocks reach the broker."""
    sentence = "the broker's address is known and an unlock arrives"
    return replace(ordered(client), sentence=sentence, limits=(UNLOCK_ARRIVES,))


def answered(client: Client) -> Scenario:
    """An ordered consumer whose offset queries and unlocks succeed."""
    sentence = "offsets are found, the broker's address is known and an unlock arrives"
    limits = (*OFFSETS_ANSWER, UNLOCK_ARRIVES)
    return replace(ordered(client), name="when-offsets-answer", sentence=sentence, limits=limits)


def given_back(client: Client) -> Scenario:
    """A live entry's queue is taken away, whatever happens then, and given back in a round without failures."""
    away = (exactly("present", 1), exactly("mine", 1), exactly("dropped", 0), exactly("in_set", 0, 0))
    own = (*away, exactly("in_set", 1, 1), NOT_OVERDUE)
    sentence = "the second rebalance meets no failure and its pull is not overdue"
    return replace(everywhere(client), limits=without_failure(1), own=own, rounds=2, quiet=1, sentence=sentence)


def _overdue(scenario: Scenario) -> Scenario:
    stuck = (exactly("present", 1), exactly("mine", 1), exactly("dropped", 1), exactly("in_set", 1))
    own = (*stuck, exactly("consume_lock", FREE), Limit("pull_age", PULL_MAX_IDLE_TIME + 1))
    sentence = "the rebalance meets no failure and its listener does not run"
    return replace(scenario, limits=without_failure(), own=own, quiet=0, sentence=sentence)


def pushing_overdue(client: Client) -> Scenario:
    """The pull of a push consumer's marked entry has expired."""
    return _overdue(pushing(client))


def pulling_overdue(client: Client) -> Scenario:
    """A pull or lite pull consumer has not pulled from a marked entry for long."""
    return _overdue(pulling(client))


def unsubscribed(client: Client) -> Scenario:
    """The user has unsubscribed from the topic."""
    return replace(everywhere(client), unsubscribes=True)


def ordered_unsubscribed(client: Client) -> Scenario:
    """The user of an ordered consumer has unsubscribed from the topic."""
    return replace(ordered(client), unsubscribes=True)


def _used(client: Client, used: str, chosen: Callable[[Mode], bool]) -> Scenario:
    modes = tuple(mode for mode in client.modes if chosen(mode))
    return Scenario(modes, "" if modes == client.modes else used)


def _premised(scenario: Scenario, name: str, sentence: str, limits: tuple[Limit, ...]) -> Scenario:
    return replace(scenario, name=name, sentence=sentence, limits=limits, quiet=0)


def common(one: Client, other: Client) -> tuple[Mode, ...]:
    """The modes that both clients have, called in the same way."""
    return tuple(mode for mode in one.modes if mode in other.modes)


def both(one: Client, other: Client) -> Scenario:
    """Two clients, used in the same way."""
    return Scenario(common(one, other), strategies=2)


def both_ordered(one: Client, other: Client) -> Scenario:
    """Two ordered clients."""
    return replace(ordered(one), strategies=2)


def both_unordered(one: Client, other: Client) -> Scenario:
    """Two clients, used in the same way, but for ordered consumers of a group."""
    modes = tuple(mode for mode in common(one, other) if mode is not ORDERLY)
    return replace(unordered(one), modes=modes, strategies=2)


def calm(scenario: Scenario) -> Scenario:
    """Nothing is thrown that one of two clients does not expect."""
    sentence = "nothing is thrown that the clients do not expect"
    return _premised(scenario, "when-nothing-unexpected", sentence, NOTHING_UNEXPECTED)
