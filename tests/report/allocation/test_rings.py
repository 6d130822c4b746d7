"""Hash rings as strips."""

from rebalance_proofs.report.allocation.figure import Strip, draw
from rebalance_proofs.report.allocation.figure import ring_strips as strips
from rebalance_proofs.report.drawing import MARGIN, Sheet
from tests.report.groups import smallest_of


def of_claim(claim_id):
    return strips(smallest_of(claim_id).group.setting)


def test_ring_is_in_order_of_hash_values():
    (strip,) = of_claim("allocation.hash.disjoint.without-same-cid-all")
    assert strip.blocks == (("queue 0",), ("c1-0",), ("c0-0",))
    assert strip.title == "Hash ring: a queue goes to the next node on the right."


def test_ring_explains_a_hash_collision():
    (strip,) = of_claim("allocation.hash.covers.without-same-id-order")
    assert strip.blocks == (("queue 0",), ("c0-0", "c1-0"))
    assert strip.title.endswith("If nodes collide, the node of the later id in cidAll is used.")


def test_two_rings_explain_a_queue_at_a_node():
    java, go = of_claim("clients.hash+hash-go.same")
    assert java.title.startswith("Hash ring in the Java or Rust client: ")
    assert go.blocks == (("c1", "queue 0"), ("c0",))
    assert go.title.endswith("never to one at its own hash.")


def test_claims_without_a_ring_have_no_strip():
    assert of_claim("allocation.hash.covers.without-virtual-nodes") == ()
    assert of_claim("allocation.room-go.listed") == ()
    assert strips(None) == ()


def test_long_ring_is_drawn_on_several_lines():
    sheet = Sheet(200, "", "", "f")
    draw(sheet, Strip("Ring.", tuple((f"c{number}-0",) for number in range(9))))
    boxes = [box for box in sheet.finished() if box.tag == "rect"]
    assert len(boxes) == 9
    assert max(float(box.get("x")) + float(box.get("width")) for box in boxes) <= MARGIN + 200
    assert len({box.get("y") for box in boxes}) > 2
