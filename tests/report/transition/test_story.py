"""Stories: who did what, what changed, and which guarantee was broken."""

from rebalance_proofs.model.client.process_queue_table import HELD, PULL_MAX_IDLE_TIME
from rebalance_proofs.model.transition.client import BROADCAST
from rebalance_proofs.model.transition.numbers import NOT_FOUND, THROWN
from tests.report.transition.told import FORCED, GIVEN_BACK, UNPULLED, VERSIONS, case, story_of

OVERDUE = {"pull_age": PULL_MAX_IDLE_TIME + 1}
AWAY = {"in_set": 0}


def test_story_of_one_round_and_one_queue():
    assert story_of(*FORCED) == (
        "Java 5.2 to 5.4.0, a push consumer with an ordered listener.",
        "It holds queue 0 of T: the last pull was 120.001 s ago, the broker's lock was last renewed 20.001 s ago, "
        "and the listener runs.",
        "Rebalance: queue 0 is still in mqSet.",
        "The client marks the process queue as dropped, sends the offset to the broker (55) twice, forgets it, "
        "records that it no longer holds the broker's lock, releases it, and removes the process queue from its "
        "table. Then it gets the broker's lock, forgets the offset, asks the broker for it, reads offset 100, adds "
        "a new process queue to its table, and starts to pull from offset 100 in 0.5 s.",
        "Broken: the broker's lock of queue 0 of T is released while its listener runs.",
    )


def test_story_of_two_rounds_is_in_order():
    assert story_of(*GIVEN_BACK) == (
        "Java 5.0 to 5.1.4, a push consumer with a user-defined offset store.",
        "It holds queue 0 of T.",
        "First rebalance: queue 0 is no longer in mqSet, and persisting its offset throws an exception.",
        "The client marks the process queue as dropped, and fails to persist the offset. An exception ends the "
        "rebalance.",
        "Second rebalance: queue 0 is in mqSet again.",
        "The client does nothing.",
        "Broken: queue 0 of T belongs to this client, but its old, dropped process queue blocks a live one.",
    )


def test_story_of_two_queues_follows_the_clients_order():
    assert story_of(*UNPULLED)[1:4] == (
        "It does not hold queues 0 and 1 of T.",
        "Rebalance: queues 0 and 1 are now in mqSet, and reading the offset of queue 1 throws an exception.",
        "With queue 0, the client forgets the offset, reads offset 100, and adds a new process queue to its table; "
        "with queue 1, the client forgets the offset, and fails to read it. An exception ends the rebalance.",
    )


def test_story_of_two_clients_has_one_line_each():
    who, _, _, one, other, broken = story_of(*VERSIONS)
    assert who == "Java 4.9.8 and Java 5.0 to 5.1.4 in the same case: a push consumer with a user-defined offset store."
    assert one.startswith("Java 4.9.8: with queue 0, it forgets the offset")
    assert other.startswith("Java 5.0 to 5.1.4: with queue 0, it ")
    assert other.endswith(" An exception ends the rebalance.")
    assert broken.startswith("Broken: queue 1 of T is held by a new process queue after Java 4.9.8")


def test_story_of_unsubscribe_replaces_the_mq_set():
    assert story_of("transition.node.unsubscribed-offset", case([{}], [[{}]]))[1:4] == (
        "It holds queue 0 of T.",
        "The user unsubscribes from T, and the client rebalances.",
        "The client does nothing.",
    )


def test_story_of_queues_of_other_topics():
    given = case([{"mine": 0}, {"mine": 0, "present": 0}], [[AWAY, {}]])
    assert story_of("transition.java_v5_2.others.with-foreign-queues", given)[1:3] == (
        "It holds queue 0 of U. It does not hold queue 1 of U.",
        "Rebalance of T: queue 1 of U is in mqSet.",
    )


def test_story_names_the_topic_where_queues_differ_in_it():
    given = case([{"mine": 0}, {}], [[AWAY, {}]])
    assert story_of("transition.java_v5_2.others.with-foreign-queues", given)[1:3] == (
        "It holds queue 0 of U. It holds queue 1 of T.",
        "Rebalance of T: queue 1 is still in mqSet.",
    )


def test_story_has_no_requests_for_queues_of_other_topics():
    lines = story_of("transition.java_v5_2.others", case([{"mine": 0}], [[AWAY]]))
    assert lines[2:4] == ("Rebalance of T: these queues are not mentioned.", "The client does nothing.")


def test_story_groups_equal_queues():
    given = case([OVERDUE, {}, OVERDUE], [[{}, AWAY, {"stored": NOT_FOUND}]])
    _, held, brought, *_ = story_of("transition.java_v5_2.kept.push", given)
    assert held == "It holds queues 0 and 2 of T: the last pull was 120.001 s ago. It holds queue 1 of T."
    assert brought == (
        "Rebalance: queues 0 and 2 are still in mqSet, queue 1 is no longer in mqSet, "
        "and no offset of queue 2 is stored."
    )


def test_story_names_the_consumers_settings():
    given = case([{"present": 0}], [[{"stored": NOT_FOUND}]], {"where": 1, "retry": 1})
    assert story_of("transition.java_v5_2.exact", given, BROADCAST)[0] == (
        "Java 5.2 to 5.4.0, a broadcasting push consumer; it is configured to start at CONSUME_FROM_FIRST_OFFSET, "
        "and the topic is the retry topic of its group."
    )


def test_story_of_a_client_that_sends_the_offset():
    _, _, brought, done, _ = story_of("transition.node.persisted.clustering", case([OVERDUE], [[{"persist": 2}]]))
    assert brought.endswith("and sending its offset to the broker fails.")
    assert done.startswith(
        "The client marks the process queue as dropped, removes it from its table, and fails to send the "
    )


def test_story_distinguishes_consumers_of_a_group():
    given = case([{}, {"consume_lock": HELD}], [[{}, AWAY | {"stored": THROWN}]])
    _, held, brought, done, _ = story_of("transition.java_v5_2.partition", given)
    assert held == "Consumer 0 holds queue 0 of T. Consumer 1 holds queue 0 of T: the listener runs."
    assert brought == (
        "Rebalance: queue 0 of consumer 0 is still in mqSet, queue 0 of consumer 1 is no longer in mqSet, "
        "and the query of the offset of queue 0 of consumer 1 fails."
    )
    assert done.startswith("With consumer 0, the client does nothing; with consumer 1, the client marks")
