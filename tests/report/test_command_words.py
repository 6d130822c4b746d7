"""What the command says of claims: names that users know, in groups."""

from dataclasses import replace

from cli.list_ import lines, sentence
from cli.words import claim_line
from proofs.ledger import LEDGER, select


def one(claim_id):
    (found,) = select([claim_id])
    return found


def test_every_claim_has_a_line_below_the_heading_of_its_family():
    found = list(lines(LEDGER))
    ids = [line.split()[1] for line in found if line and not line.startswith("#")]
    assert sorted(ids) == sorted(claim.id for claim in LEDGER)
    assert found[0] == "# One topic, all premises hold"
    assert "# without distinct-ids: a client id stands twice in cidAll" in found


def test_one_claim_a_strategy_needs_no_empty_lines():
    assert "" not in list(lines(select(["allocation.*.disjoint"])))


def test_a_heading_says_what_is_not_about_every_queue():
    found = list(lines(select(["allocation.room.covers"])))
    assert found[1] == "# MACHINE_ROOM (Java): over the queues of the rooms in consumeridcs"


def test_sentences():
    assert sentence(one("allocation.avg.disjoint")) == "AVG: No queue is given to two consumers"
    assert sentence(one("clients.hash+hash-go.covers.without-same-client")) == (
        "CONSISTENT_HASH (Java, Rust with Go): Every queue is given to some consumer, "
        "even if clients of different languages are in the group"
    )
    assert sentence(one("allocation.hash.covers.without-same-mq-all")) == (
        "CONSISTENT_HASH (Java, Rust): Every queue is given to some consumer"
    )


def test_a_counterexample_of_two_clients_names_them(green):
    result = replace(green.claims[-1], reason="c0 takes queue 0 by hash-go, and does not by hash.")
    assert claim_line(result).endswith("c0 takes queue 0 by the Go client, and does not by the Java or Rust client.")
