"""Families of claims, their rows and columns, and what their guarantees concern."""

from copy import copy
from dataclasses import replace

import pytest

from rebalance_proofs.proofs.ledger import LEDGER, select
from rebalance_proofs.report.kinds import KINDS, by_family, families, family, limits, shown


def claim(claim_id):
    (found,) = select([claim_id])
    return found


@pytest.mark.parametrize(
    ("claim_id", "names", "guarantee"),
    [
        ("allocation.avg.disjoint", ("AVG",), "disjoint"),
        ("allocation.room-go.listed", ("MACHINE_ROOM (Go)",), "listed"),
        (
            "allocation.hash.covers.without-virtual-nodes",
            ("CONSISTENT_HASH (Java, Rust), without virtual nodes",),
            "covers",
        ),
        ("allocation.nearby-hash.home", ("MACHINE_ROOM_NEARBY over CONSISTENT_HASH (Java, Rust)",), "home"),
        ("allocation.avg+circle.covers.without-same-strategy", ("same-strategy", "AVG + AVG_BY_CIRCLE"), "covers"),
        ("allocation.hash.monotone", ("CONSISTENT_HASH (Java, Rust)",), "monotone"),
        ("growth.circle.turned", ("AVG_BY_CIRCLE",), "turned"),
        ("joins.avg.own-only", ("AVG",), "own-only"),
        ("topics.kafka-range.level", ("Kafka RangeAssignor",), "level"),
        ("code.room-go", ("MACHINE_ROOM (Go)",), "code"),
        ("clients.room-go+room-rust.same", ("MACHINE_ROOM", "Go with Rust"), "same"),
        (
            "clients.hash+hash-go.disjoint.without-same-client",
            ("CONSISTENT_HASH", "Java, Rust with Go"),
            "disjoint in a mixed group",
        ),
        (
            "transition.java_v4_9.offset-kept.anything-but-push-orderly",
            (
                "offset-kept: a rebalance never removes the in-memory offset of a process queue that it keeps",
                "always",
                "anything but push orderly",
            ),
            "Java 4.9.8",
        ),
        (
            "transition.java_v4_9+java_v5_0.same.own-store.when-nothing-unexpected",
            (
                "Java 4.9.8 and Java 5.0 to 5.1.4",
                "if no unexpected exception is thrown",
                "custom store",
            ),
            "same table",
        ),
    ],
)
def test_claim_has_its_row_and_column(claim_id, names, guarantee):
    found = claim(claim_id)
    assert (shown(found).row(found), shown(found).column(found)) == (names, guarantee)


@pytest.mark.parametrize(
    ("claim_id", "said"),
    [
        ("allocation.avg.disjoint", "One group and one topic, at one moment."),
        ("allocation.hash.monotone", "A group before and after one consumer joins"),
        ("growth.avg.steady", "A group before and after queues are added"),
        ("joins.hash.once", "A group before and after one or two changes"),
        ("topics.avg-per-topic.level", "All topics of a group together"),
        (
            "clients.hash+hash-go.same",
            "run by the Java or Rust client, compared with the same group run by the Go client",
        ),
        ("clients.nearby+nearby-go.covers.without-same-client", "One group whose consumers run two clients"),
        ("transition.java_v5_2.kept.push", "One rebalance, in one consumer, by the code of Java 5.2 to 5.4.0 (5.3.3"),
        ("transition.java_v5_2.returns.own-store", "Two rebalances, one after the other"),
        ("transition.java_v5_2.unsubscribed-offset", "after the user has unsubscribed"),
        ("transition.java_v5_2.partition", "in each consumer of a group"),
    ],
)
def test_guarantee_says_what_it_concerns(claim_id, said):
    found = claim(claim_id)
    assert said in shown(found).about(found)


def test_families_are_known_and_in_order():
    found = families(LEDGER)
    known = [one for kind in KINDS.values() for one in kind.families]
    assert found == tuple(one for one in known if one in found)
    assert len({one.name for one in known}) == len(known)


def test_unknown_room_has_its_own_family():
    other = replace(LEDGER[0], room="elsewhere", variant="with-lock")
    assert family(other).title == "Elsewhere"
    assert (shown(other).row(other), shown(other).column(other)) == (("avg",), "disjoint.with-lock")
    assert families([other, LEDGER[0]])[-1] == family(other)


def test_order_keeps_rows_together():
    ordered = [found for own in by_family(LEDGER, lambda claim: claim).values() for found in own]
    places = [(family(found), shown(found).row(found)) for found in ordered]
    assert len(ordered) == len(LEDGER)
    starts = [place for number, place in enumerate(places) if number == 0 or places[number - 1] != place]
    assert len(starts) == len(set(starts))
    assert family(ordered[-1]).name == "receiving"


@pytest.mark.parametrize(
    ("claim_id", "said"),
    [
        (
            "allocation.avg.disjoint",
            "with each consumer's id once.\nAssumes: the same mqAll for all consumers; ",
        ),
        ("allocation.avg.disjoint.without-same-cid-all", ". Does not assume: the same cidAll for all consumers."),
        (
            "transition.java_v5_2.kept.push",
            "that the assumptions allow.\nAssumes: no concurrent rebalance of the consumer",
        ),
        (
            "transition.java_v5_2.unlocked.push-orderly.when-unlocks-arrive",
            "Used as: push orderly and push orderly (own store), in any state",
        ),
    ],
)
def test_claim_says_its_circumstances(claim_id, said):
    found = claim(claim_id)
    assert said in shown(found).given(found)


def test_claims_about_clients_cover_every_queue():
    assert limits(found for found in LEDGER if found.id.startswith("transition.")) == ()


def test_unknown_world_is_refused():
    none = copy(LEDGER[0])
    object.__setattr__(none, "world", "none")
    with pytest.raises(TypeError, match="of type str cannot be shown"):
        family(none)
