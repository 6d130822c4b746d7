"""Premises of the inductive steps hold on every real ring, as it is built node by node."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, CONSISTENT_HASH_GO
from rebalance_proofs.model.allocation.ring import RING, Node
from rebalance_proofs.model.queues import one_broker, to_string
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from tests.proofs.hashing.steps import STEPS

CONSUMERS = 4
QUEUES = one_broker(1)
hashes = st.integers(0, 5) | st.integers()
consumers = st.integers(0, CONSUMERS - 1)
rings = st.lists(st.tuples(hashes, consumers), max_size=6)
"""(hash value, consumer) of each node, in the order in which they are put."""
few = settings(max_examples=50)


def state(queue, nodes, suffix=""):
    """The variables of a ring with these nodes."""
    nearest = RING.route(smt.IntVal(queue), [Node(smt.IntVal(hash_), smt.IntVal(owner)) for hash_, owner in nodes])
    found, hash_, owner = map(simplify, (nearest.found, nearest.hash, nearest.owner))
    numbers = (int(smt.is_true(found)), hash_.number, owner.number)
    return dict(zip((f"found{suffix}", f"x{suffix}", f"o{suffix}"), numbers, strict=True))


def holds(name, **values):
    """The premises of the step are met, and so is its conclusion."""
    step = STEPS[name]
    statement = step.statement(RING, {variable: values[variable] for variable in step.variables})
    for formula in (*statement.given.values(), statement.then):
        assert smt.is_true(simplify(formula)), (name, values, formula)


def growing(nodes):
    """(the nodes so far, the next one)."""
    return [(nodes[:place], node) for place, node in enumerate(nodes)]


@few
@given(rings, hashes)
def test_queue_has_an_owner_from_the_first_node_on(nodes, h):
    for before, (y, k) in growing(nodes):
        holds("owner.step" if before else "owner.base", c=CONSUMERS, h=h, y=y, k=k, **state(h, before))


@few
@given(rings, hashes, consumers, consumers)
def test_one_ring_has_one_owner(nodes, h, i, j):
    for before, (y, k) in growing(nodes):
        both = state(h, before) | state(h, before, "2")
        holds("same.step" if before else "same.base", h=h, y=y, k=k, **both)
        owner = state(h, [*before, (y, k)])["o"]
        for other in {i, j} - {owner}:
            holds("exclusive", h=h, y=y, k=k, i=owner, j=other, **state(h, before))


@few
@given(rings.map(lambda nodes: sorted(nodes, key=lambda node: node[1])), hashes)
def test_no_node_is_better_than_the_nearest_one(nodes, h):
    for before, (y, k) in growing(nodes):
        if not before:
            holds("successor.base", h=h, y=y, k=k, **state(h, before))
        for z, w in before:
            holds("successor.step", h=h, y=y, k=k, z=z, w=w, **state(h, before))


@few
@given(rings, hashes, consumers)
def test_rings_with_and_without_the_joiner_are_related(nodes, h, j):
    def both(some):
        return state(h, [node for node in some if node[1] != j]) | state(h, some, "2")

    holds("join.base", h=h, j=j, **both([]))
    for before, (y, k) in growing(nodes):
        holds("join.step-joiner" if k == j else "join.step-other", h=h, j=j, y=y, k=k, **both(before))
    having = both(nodes)
    if having["found2"] and having["o2"] != j:
        holds("join.only-takes", h=h, j=j, i=having["o2"], **having)


@few
@given(rings, hashes, consumers, st.sets(consumers))
def test_full_and_partial_rings_are_related(nodes, h, i, others):
    seen = {i, *others}

    def both(some):
        return state(h, some) | state(h, [node for node in some if node[1] in seen], "2")

    holds("part.base", h=h, i=i, **both([]))
    for before, (y, k) in growing(nodes):
        holds("part.step-seen" if k in seen else "part.step-unseen", h=h, i=i, y=y, k=k, **both(before))
    whole = both(nodes)
    if whole["found"] and whole["o"] == i:
        holds("part.takes", h=h, i=i, **whole)


apart = st.lists(st.tuples(hashes, consumers), min_size=1, max_size=6, unique_by=lambda node: node[0])
"""No two nodes collide."""


@few
@given(apart, hashes, st.randoms())
def test_rings_with_two_orders_have_the_same_nearest_node(nodes, h, random):
    for before, (y, k) in growing(nodes):
        if not before:
            holds("nearest.base", h=h, y=y, k=k, **state(h, before))
        for z, _ in before:
            holds("nearest.step", h=h, y=y, k=k, z=z, **state(h, before))
    others = random.sample(nodes, len(nodes))
    holds("nearest.unique", h=h, **state(h, nodes), **state(h, others, "2"))


@few
@given(
    ids=st.lists(st.sampled_from(["c0", "c1", "c2"]), min_size=1, max_size=4).map(sorted),
    v=st.integers(1, 3),
    queue=hashes,
    data=st.data(),
)
def test_nodes_of_a_repeated_id_form_a_ring(ids, v, queue, data):
    """The proof of covers without distinct ids is about any nodes, including those with continued numbering."""
    known = {to_string(QUEUES[0]): queue}

    def hash_(key):
        return known.setdefault(key, data.draw(hashes))

    for configured in (CONSISTENT_HASH, CONSISTENT_HASH_GO):
        allocate = configured.configured(virtual_nodes=v, hash_function=hash_).allocate
        takers = {client_id for client_id in ids if allocate(client_id, QUEUES, ids)}
        assert len(takers) == 1


@few
@given(st.lists(st.booleans(), min_size=1, max_size=8))
def test_filtered_positions_are_ascending(mine):
    last = -1
    holds("filter.base", last=last, p=0)
    for p, own in enumerate(mine):
        holds("filter.step", q=len(mine), last=last, p=p, mine=int(own))
        last = p if own else last
