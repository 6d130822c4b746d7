"""Scenarios of the claims about rebalances: the use of a client, and its environment.

Each function returns the scenario for a client: the modes of use that it covers, and limits on failures. A round is
one rebalance. Some functions restrict a scenario that another function returns.
"""

from collections.abc import Callable
from dataclasses import replace

from rebalance_proofs.model.client.environment import NOT_FOUND
from rebalance_proofs.model.client.process_queue_table import FREE, PULL_MAX_IDLE_TIME
from rebalance_proofs.model.client.settings import LITE_PULL, PULL
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.numbers import KINDS, LOCKS, THROWN, UNANSWERED
from rebalance_proofs.proofs.transition.scenario import Action, Limit, Scenario, exactly

OFFSETS_ANSWER = (Limit("stored", NOT_FOUND), Limit("queried", 0))
NOTHING_UNEXPECTED = (exactly("persist", 0), Limit("stored", THROWN + 1), Limit("queried", THROWN + 1))
UNLOCK_ARRIVES = Limit("lock", highest=LOCKS.index("exc"))
NOT_OVERDUE = Limit("pull_age", highest=PULL_MAX_IDLE_TIME, passive_only=True)


def without_failure(round_: int | None = None) -> tuple[Limit, ...]:
    """Return limits under which locks are granted, and offsets found and persisted.

    They apply to the rebalance with number ``round_``, or to all rebalances.
    """
    found = (Limit(name, 0, round=round_) for name in ("stored", "queried"))
    return exactly("lock", 0, round_), *found, exactly("persist", 0, round_)


QUICK = "no process queue whose last pull is overdue (older than `pullMaxIdleTime`)"
FOUND = "every offset query answered with an offset"
NO_LISTENER = "no listener that runs on the client's queues"
ARRIVING = ("a known address of the queue's broker", "every unlock request received by the broker")
BENIGN = (*without_failure(), exactly("consume_lock", FREE), exactly("dropped", 0), NOT_OVERDUE)


AS_SHIPPED, OWN_STORE = "built-in store", "custom store"

Of = Callable[[Client], Scenario]


def shipped(of: Of) -> Of:
    """Restrict a scenario to the client's built-in offset stores."""
    return lambda client: _with_store(of(client), client, 0, AS_SHIPPED)


def own_store(of: Of) -> Of:
    """Restrict a scenario to a user-defined offset store, which may throw."""
    return lambda client: _with_store(of(client), client, 1, OWN_STORE)


def _with_store(scenario: Scenario, client: Client, own: int, words: str) -> Scenario:
    """Return the scenario restricted to one type of offset store: built-in (0) or custom (1).

    It is unchanged for a client that supports no custom store. ``words`` names the store in claims.
    """
    if not any(mode.own_store for mode in client.modes):
        return scenario
    modes = tuple(mode for mode in scenario.modes if mode.own_store == own)
    return replace(scenario, modes=modes, used=", ".join(filter(None, (scenario.used, words))))


def everywhere(client: Client) -> Scenario:
    """Scenario: a consumer in any mode of use, with any failures."""
    return Scenario(client.modes)


def pushing(client: Client) -> Scenario:
    """Scenario: a push consumer."""
    return _used(client, "push", lambda mode: KINDS[mode.kind].passive)


def pulling(client: Client) -> Scenario:
    """Scenario: a pull or lite pull consumer."""
    return _used(client, "pull and lite pull", lambda mode: not KINDS[mode.kind].passive)


def ordered(client: Client) -> Scenario:
    """Scenario: a push consumer of a clustering group with an ordered listener."""
    return _used(client, "push orderly", _ordered)


def unordered(client: Client) -> Scenario:
    """Scenario: any use but that of a clustering push consumer with an ordered listener."""
    return _used(client, "anything but push orderly", lambda mode: not _ordered(mode))


def reading(client: Client) -> Scenario:
    """Scenario: a consumer whose rebalance reads the start offset of an added queue."""
    return _used(client, "push and lite pull", _reads)


def not_reading(client: Client) -> Scenario:
    """Scenario: a pull consumer, whose rebalance reads no offset; the user sets it."""
    return _used(client, "pull", lambda mode: not _reads(mode))


def asking(client: Client) -> Scenario:
    """Scenario: a consumer that asks a broker for the start offset of an added queue."""
    return _used(client, "push and lite pull clustering", lambda mode: _reads(mode) and not mode.broadcasting)


def remembering(client: Client) -> Scenario:
    """Scenario: a broadcasting lite pull consumer.

    It reads offsets from memory first, and writes them to a file.
    """
    return _used(client, "lite pull broadcasting", _remembers)


def not_remembering(client: Client) -> Scenario:
    """Scenario: any consumer except a broadcasting lite pull consumer.

    The latter reads offsets from memory first.
    """
    return _used(client, "anything but lite pull broadcasting", lambda mode: not _remembers(mode))


def unordered_not_remembering(client: Client) -> Scenario:
    """Scenario: no ordered clustering push consumer, no broadcasting lite pull consumer.

    All other uses of the client are covered.
    """
    named = "anything but push orderly and lite pull broadcasting"
    return _used(client, named, lambda mode: not _remembers(mode) and not _ordered(mode))


def _reads(mode: Mode) -> bool:
    return KINDS[mode.kind] is not PULL


def _remembers(mode: Mode) -> bool:
    return KINDS[mode.kind] is LITE_PULL and bool(mode.broadcasting)


def _ordered(mode: Mode) -> bool:
    return bool(mode.orderly and not mode.broadcasting)


def broadcasting_with_locks(client: Client) -> Scenario:
    """Scenario: broadcasting, for a client that requests locks even then."""
    found = _used(client, "", lambda mode: bool(mode.broadcasting and mode.order))
    return replace(found, used=found.modes[0].name)


def broadcasting_without_locks(client: Client) -> Scenario:
    """Scenario: broadcasting, for a client that then requests no locks."""
    locking = broadcasting_with_locks(client).used.replace(" broadcasting", "")
    return _used(client, f"broadcasting but not {locking}", lambda mode: bool(mode.broadcasting and not mode.order))


def broadcasting(client: Client) -> Scenario:
    """Scenario: broadcasting, where every consumer gets every queue."""
    return _used(client, "broadcasting", lambda mode: bool(mode.broadcasting))


def broadcasting_unthrown(client: Client) -> Scenario:
    """Scenario: broadcasting, for a client that sends no offset when broadcasting.

    Sending an offset therefore cannot fail.
    """
    return replace(broadcasting(client), quiet=0)


def in_a_group(client: Client) -> Scenario:
    """Scenario: any use of the client in a clustering group.

    There the consumers divide the queues.
    """
    return _used(client, "clustering", lambda mode: not mode.broadcasting)


def benignly(client: Client) -> Scenario:
    """Scenario: one rebalance in which nothing fails."""
    dropped = "no process queue that was dropped before"
    assumes = ("every lock request granted", FOUND, "every offset persisted", NO_LISTENER, dropped, QUICK)
    return replace(everywhere(client), assumes=assumes, limits=BENIGN, quiet=0)


def twice(client: Client) -> Scenario:
    """Scenario: two rebalances with the same assigned queues (mqSet), in which nothing fails."""
    return replace(benignly(client), rounds=2, same_set=True)


def in_one_group(client: Client) -> Scenario:
    """Scenario: several consumers of a group with the same lists, without failures."""
    return replace(benignly(client), apart=True, limits=(*BENIGN, exactly("mine", 1)))


def with_foreign_queues(client: Client) -> Scenario:
    """Scenario: the strategy also assigns queues of other topics, as CONFIG can."""
    return replace(everywhere(client), foreign=True, name="with-foreign-queues")


def persisting(of: Of) -> Of:
    """Add to a scenario the assumption that persisting an offset never fails.

    Offsets can be sent and written, and no exception is thrown.
    """
    limits = (exactly("persist", 0),)
    assumes, when = ("no failure to persist an offset",), "offset persistence never fails"

    def scenario(client: Client) -> Scenario:
        return replace(of(client), name="when-persist-works", assumes=assumes, when=when, limits=limits)

    return scenario


def persisting_quietly(of: Of) -> Of:
    """Add to a scenario the assumption that persisting an offset never fails.

    For clients where nothing else can throw while queues are removed.
    """
    return lambda client: replace(persisting(of)(client), quiet=0)


def expected(client: Client) -> Scenario:
    """Scenario: a push consumer, without unexpected exceptions."""
    return _expected(pushing(client))


def unlocks_arrive(client: Client) -> Scenario:
    """Scenario: an ordered consumer whose unlocks reach the broker."""
    when = "unlocks arrive"
    return replace(ordered(client), name="when-unlocks-arrive", assumes=ARRIVING, when=when, limits=(UNLOCK_ARRIVES,))


def answered(client: Client) -> Scenario:
    """Scenario: an ordered consumer whose offset queries and unlocks succeed."""
    assumes, when = (FOUND, *ARRIVING), "offset queries and unlocks succeed"
    limits = (*OFFSETS_ANSWER, UNLOCK_ARRIVES)
    return replace(ordered(client), name="when-offsets-answer", assumes=assumes, when=when, limits=limits)


def given_back(client: Client) -> Scenario:
    """Scenario: one rebalance removes a live process queue, and the next one adds it again.

    The first rebalance can have any failures, the second has none.
    """
    away = (exactly("present", 1), exactly("mine", 1), exactly("dropped", 0), exactly("in_set", 0, 0))
    own = (*away, exactly("in_set", 1, 1), NOT_OVERDUE)
    assumes = ("no failed request and no exception in the second rebalance", QUICK)
    return replace(everywhere(client), limits=without_failure(1), own=own, rounds=2, quiet=1, assumes=assumes)


def given_back_ordered(client: Client) -> Scenario:
    """Scenario: ``given_back`` restricted to ordered consumers of a clustering group."""
    return _within(given_back(client), ordered(client))


def given_back_unordered(client: Client) -> Scenario:
    """Scenario: ``given_back`` restricted to all but ordered clustering consumers."""
    return _within(given_back(client), unordered(client))


def _within(scenario: Scenario, ways: Scenario) -> Scenario:
    """Return the scenario ``scenario`` restricted to the modes of use of ``ways``."""
    return replace(scenario, modes=ways.modes, used=ways.used)


def _overdue(scenario: Scenario) -> Scenario:
    stuck = (exactly("present", 1), exactly("mine", 1), exactly("dropped", 1), exactly("in_set", 1))
    own = (*stuck, exactly("consume_lock", FREE), Limit("pull_age", PULL_MAX_IDLE_TIME + 1))
    assumes = ("no failed request and no exception in the rebalance", NO_LISTENER)
    return replace(scenario, limits=without_failure(), own=own, quiet=0, assumes=assumes)


def pushing_overdue(client: Client) -> Scenario:
    """Scenario: a push consumer's dropped process queue with an overdue pull."""
    return _overdue(pushing(client))


def pulling_overdue(client: Client) -> Scenario:
    """Scenario: a pull or lite pull consumer's dropped process queue with an overdue pull."""
    return _overdue(pulling(client))


def twice_ordered(client: Client) -> Scenario:
    """Scenario: two rebalances of an ordered consumer, with any failures."""
    return replace(ordered(client), rounds=2)


def twice_unlocking(client: Client) -> Scenario:
    """Scenario: two rebalances of an ordered consumer whose unlocks reach the broker."""
    return replace(unlocks_arrive(client), rounds=2)


def unsubscribed(client: Client) -> Scenario:
    """Scenario: the user unsubscribes from the topic."""
    return replace(everywhere(client), action=Action.UNSUBSCRIBES)


def ordered_unsubscribed(client: Client) -> Scenario:
    """Scenario: the user of an ordered consumer unsubscribes from the topic."""
    return replace(ordered(client), action=Action.UNSUBSCRIBES)


def renewing(client: Client) -> Scenario:
    """Scenario: an ordered consumer renews its locks, and the broker answers."""
    limits = (Limit("lock", highest=LOCKS.index("denied")),)
    return replace(
        ordered(client), action=Action.RENEWS, assumes=("a broker answer to every lock request",), limits=limits
    )


def renewing_without_static_topics(client: Client) -> Scenario:
    """Scenario: ``renewing`` without queues of static topics.

    Queues of static topics have no real broker.
    """
    found = renewing(client)
    assumes, when = (*found.assumes, "a topic that is not static"), "its topic is not static"
    own = (exactly("static", 0),)
    return replace(found, name="when-its-topic-is-not-static", assumes=assumes, when=when, own=own)


def _used(client: Client, used: str, chosen: Callable[[Mode], bool]) -> Scenario:
    modes = tuple(mode for mode in client.modes if chosen(mode))
    return Scenario(modes, "" if modes == client.modes else used)


def _expected(scenario: Scenario) -> Scenario:
    assumes, when = ("only exceptions that the client expects",), "no unexpected exception is thrown"
    name = "when-nothing-unexpected"
    return replace(scenario, name=name, assumes=assumes, when=when, limits=NOTHING_UNEXPECTED, quiet=0)


Both = Callable[[Client, Client], Scenario]


def beside(of: Of) -> Both:
    """Return a scenario of two clients, in the modes of use that both support."""

    def scenario(one: Client, other: Client) -> Scenario:
        found = of(one)
        return replace(found, modes=tuple(mode for mode in found.modes if mode in other.modes), subjects=2)

    return scenario


def calm(both: Both) -> Both:
    """Add to a scenario of two clients the assumption that no unexpected exception is thrown."""
    return lambda one, other: _expected(both(one, other))


def answered_or_not(both: Both) -> Both:
    """Add to a scenario of two clients the assumption that offset queries cause no broker error.

    The answer that there is no offset is allowed.
    """
    assumes, when = (
        ("no error answers to offset queries, except `QUERY_NOT_FOUND` (no offset is stored)",),
        "no broker errs",
    )
    name, limits = "when-no-broker-errs", (Limit("stored", UNANSWERED),)
    return lambda one, other: replace(both(one, other), name=name, assumes=assumes, when=when, limits=limits)
