"""The figure marks the right queues, by shape and text as well as by colour."""

from dataclasses import replace
from xml.etree import ElementTree

from rebalance_proofs.model.premises import DISTINCT_IDS, OWN_ID_LISTED, SAME_CID_ALL, SAME_MQ_ALL, SAME_ORDER
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.report.allocation.figure import figure
from tests.report.groups import AVG, CIRCLE, counterexample, grown, joined, smallest_of


class Drawn:
    """The figure by its classes; a kind is the whole class attribute."""

    def __init__(self, example):
        self.root = ElementTree.fromstring(figure(example, "f"))

    def boxes(self, kind):
        return [box for box in self.root.iter("rect") if box.get("class") == kind]

    def queues(self, kind):
        """The queues in whose columns such boxes stand."""
        columns = [box.get("x") for box in self.root.iter("rect") if box.get("class").startswith("queue ")]
        return sorted(columns.index(box.get("x")) for box in self.boxes(kind))

    def words(self, kind):
        return [text.text for text in self.root.iter("text") if text.get("class") == kind]


def test_figure_marks_double_and_missing_owners():
    drawn = Drawn(counterexample("covers", SAME_CID_ALL, 3, 2, (0, 0, 3, 2)))
    assert drawn.queues("queue several") == [0]
    assert drawn.queues("queue nobody") == [1]
    assert drawn.queues("cell takes several") == [0, 0]
    assert drawn.words("outcome several") == ["2 readers"]
    assert drawn.words("outcome nobody") == ["no reader"]
    assert len(drawn.boxes("status several")) == 2, "a double frame"
    assert len(drawn.boxes("status nobody")) == 1
    assert drawn.words("view")[1] == "cidAll [c1, c2] · own index 0"


def test_figure_names_unseen_queues():
    drawn = Drawn(counterexample("covers", SAME_MQ_ALL, 2, 2, (0, 1, 0, 1)))
    assert drawn.queues("cell blind") == [0, 1]
    assert drawn.words("where blind") == ["not in mqAll", "not in mqAll"]
    assert drawn.queues("cell takes one") == [0]


def test_figure_shows_a_different_order_of_queues():
    drawn = Drawn(counterexample("disjoint", SAME_ORDER, 2, 2, (1, 0, 1)))
    assert drawn.words("where sees") == ["mqAll[1]", "mqAll[0]"]
    assert drawn.words("where takes several") == ["mqAll[0]", "mqAll[1]"]


def test_figure_distinguishes_consumers_with_one_client_id():
    drawn = Drawn(counterexample("disjoint", DISTINCT_IDS, 2, 1, (1,)))
    assert drawn.words("name") == ["c0 (process 0)", "c0 (process 1)", "readers"]


def test_figure_names_a_missing_client_id():
    drawn = Drawn(counterexample("covers", OWN_ID_LISTED, 1, 1, (1,)))
    assert drawn.words("view") == ["cidAll [c0-old] · its own id is missing · takes nothing"]


def test_figure_without_dropped_premise_shows_the_assignment():
    drawn = Drawn(counterexample("contiguous", AGREED, 2, 3, (), CIRCLE))
    assert drawn.queues("cell takes one") == [0, 1, 2]
    assert drawn.words("outcome one") == ["c0", "c1", "c0"]


def test_join_marks_both_sides_by_word_and_shape():
    drawn = Drawn(joined(AVG, 3, 2, 0))
    assert drawn.words("name") == [
        "c0 (joins)",
        "c1",
        "c2",
        "readers before c0 joins",
        "readers after c0 has joined",
    ]
    assert drawn.words("view")[1] == "cidAll [c0, c1, c2], before [c1, c2] · own index 1, before 0"
    assert drawn.queues("cell takes one only") == [0, 1]
    assert drawn.words("where takes one only") == ["new", "gained"]
    assert drawn.queues("cell lost") == [0, 1]
    assert drawn.words("where lost") == ["given away", "given away"]
    assert drawn.words("outcome one") == ["c1", "c2", "c0", "c1"]
    assert drawn.words("where one") == ["≠ c1", "≠ c2"]


def test_unmoved_queues_are_not_marked():
    drawn = Drawn(joined(AVG, 2, 2, 1))
    assert drawn.words("where takes one") == ["as before"]
    assert drawn.words("where takes one only") == ["new"]
    assert drawn.words("where one") == ["≠ c0"]


def test_added_queues_are_marked_as_changes_in_time():
    drawn = Drawn(grown(AVG, 2, 2, 0, 1))
    assert drawn.words("name")[:2] == ["c0", "c1"]
    assert drawn.words("where takes one only") == ["gained", "gained"]
    assert drawn.words("where lost") == ["given away"]
    assert drawn.words("where one") == ["≠ no reader", "≠ c0"]


def test_first_of_three_stages_is_described_above():
    drawn = Drawn(smallest_of("joins.avg.no-return"))
    assert drawn.words("view")[0] == "At first, with cidAll [c1]: c1 takes queues 0 and 1."


def test_consumer_without_subscription_is_named_in_the_figure():
    drawn = Drawn(smallest_of("allocation.avg.covers.without-same-subscription"))
    assert drawn.words("view")[0] == "cidAll [c0, c1] · own index 0 · does not subscribe · takes nothing"


def test_both_clients_are_named():
    drawn = Drawn(smallest_of("clients.room+room-go.same"))
    assert drawn.words("where lost") == ["only Go"]
    assert drawn.words("outcome nobody") == ["no reader"]
    assert drawn.words("where nobody") == ["≠ c0"]


def test_consumers_of_a_mixed_group_name_their_client():
    drawn = Drawn(smallest_of("clients.room+room-go.disjoint.without-same-client"))
    assert [line.split(" · ")[0] for line in drawn.words("view")[-2:]] == ["MACHINE_ROOM (Java)", "MACHINE_ROOM (Go)"]
    assert drawn.words("where")[:2] == ["room1@", "room1@broker-a"]


def test_strategy_configuration_is_printed_above_the_figure():
    assert Drawn(smallest_of("allocation.config.covers")).words("view")[0] == "c0 is configured with an empty list."
    ring = Drawn(smallest_of("allocation.hash.disjoint.without-same-id-order"))
    assert ring.words("chip") == ["queue 0", "c0-0 = c1-0"]


def test_topics_and_rooms_are_printed_below_the_queues():
    assert Drawn(smallest_of("topics.avg-per-topic.level")).words("where")[:2] == ["topic T0", "topic T1"]
    assert Drawn(smallest_of("clients.nearby+nearby-go.same")).words("where")[0] == "room A"


def test_queue_outside_the_topic_is_named_in_the_figure():
    drawn = Drawn(smallest_of("allocation.config.sublist"))
    assert drawn.words("view")[-1].endswith("takes broker-z:0, which the topic does not have")
    assert drawn.boxes("cell sees")


def test_figure_draws_nothing_outside_its_area():
    for claim_id in ("clients.nearby+nearby-go.same", "allocation.hash.contiguous", "allocation.config.sublist"):
        root = Drawn(smallest_of(claim_id)).root
        width, height = float(root.get("width")), float(root.get("height"))
        for box in root.iter("rect"):
            assert float(box.get("x")) + float(box.get("width")) <= width
            assert float(box.get("y")) + float(box.get("height")) <= height
        for text in root.iter("text"):
            assert float(text.get("y")) <= height


def test_figure_has_a_title_and_a_description():
    root = Drawn(counterexample("disjoint", DISTINCT_IDS, 2, 1, (1,))).root
    assert root.get("aria-labelledby") == "f-title f-words"
    assert root.find("title").text.startswith("queue 0 is consumed by both")
    assert root.find("desc").get("id") == "f-words"


def test_hostile_ids_are_escaped():
    example = counterexample("disjoint", DISTINCT_IDS, 2, 1, (1,))
    first, second = example.group.consumers
    named = replace(first, client_id="<script>", cid_all=("<script>",))
    example = replace(example, group=replace(example.group, consumers=(named, second)))
    assert "<script>" not in figure(example, "f")
