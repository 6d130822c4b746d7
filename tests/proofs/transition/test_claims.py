"""Claims about transitions, and their expected verdicts."""

from itertools import pairwise

from rebalance_proofs.model.transition.client import Client
from rebalance_proofs.model.transition.clients import CLIENTS, NODE, V4_9, V5_0, V5_2, V5_5, VARIANTS
from rebalance_proofs.model.transition.variables import QUEUE
from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.transition.claims import ANY_SUCH_TABLE, ANY_TABLE, EXISTS, JAVA, PAIRS, ROWS, claims
from rebalance_proofs.proofs.transition.search import failing
from tests.each import each
from tests.proofs.transition.random_cases import CLAIMS

PROMISES = {row.guarantee.name: row.guarantee for row in ROWS}
LOCKED = (
    "locked-first",
    "knows-lock",
    "unlocked",
    "no-stray-lock",
    "stray-lock-freed",
    "late-unlock",
    "listener",
    "renewed",
    "unsubscribed-lock",
)
"""About the locks of an ordered consumer of a group: no other takes any."""
OVER_TWO_ROUNDS = ("stray-lock-freed", "late-unlock")

every_claim = each("claim", CLAIMS, ids=lambda claim: claim.id)
each_client = each("client", CLIENTS, ids=lambda client: client.name)
each_promise = each("name", PROMISES)


def not_asked(client: Client, name: str, mode) -> bool:
    """Why nothing is said: a promise about what the consumer does not do."""
    if name in OVER_TWO_ROUNDS and mode.own_store:
        return True  # what throws in a second round does so in another order than the terms have
    if name in LOCKED:
        return client is NODE or not mode.orderly or bool(mode.broadcasting)
    if name == "no-group-lock":
        return client is NODE or not mode.broadcasting  # that is what the locks are for
    return name == "pulls" and mode.kind != 0  # its user pulls


def about(client: Client, name: str) -> list:
    """What is claimed of it."""
    return [claim for claim in CLAIMS if claim.subjects == (client,) and claim.guarantee.name == name]


def test_transition_claims_have_unique_ids_and_sentences():
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    assert len({claim.sentence for claim in CLAIMS}) == len(CLAIMS)


@every_claim
def test_transition_claim_has_everything_for_its_verdict(claim):
    proved = claim.expected is Verdict.PROVED
    assert claim.expected in (Verdict.PROVED, Verdict.REFUTED)
    assert claim.sentence.endswith(".")
    assert not claim.sentence.endswith("..")
    assert claim.sentence.startswith(claim.subjects[0].rocketmq_name)
    assert claim.guarantee.sentence in claim.sentence
    assert claim.world.when in claim.sentence
    assert {*claim.world.assumes} <= {*claim.assumes}
    assert claim.source
    assert bool(claim.obligations) is proved
    assert bool(claim.lemmas) is proved
    assert claim.id.startswith("transition.")
    assert " " not in claim.id
    assert claim.id.split(".")[2] == claim.guarantee.name


@every_claim
def test_transition_scope_is_any_table_without_limits(claim):
    limited = ANY_SUCH_TABLE if claim.world.limits else ANY_TABLE
    assert claim.scope == (limited if claim.expected is Verdict.PROVED else EXISTS)


@every_claim
def test_limits_are_assumptions_and_conditions_end_the_sentence(claim):
    """The condition of dropped entries, reassigned or overdue, is in the guarantee's own sentence."""
    assert bool(claim.world.assumes) is bool(claim.world.limits)
    assert (", if " in claim.sentence) is bool(claim.world.when) is claim.world.name.startswith("when-")


@each_client
@each_promise
def test_every_guarantee_is_decided_in_every_mode(client, name):
    claimed = {mode for claim in about(client, name) for mode in claim.world.modes}
    for mode in client.modes:
        missing = mode not in claimed and not not_asked(client, name, mode)
        assert not missing, mode.name
        assert not (mode in claimed and not_asked(client, name, mode)), mode.name


@each_client
@each_promise
def test_no_guarantee_is_proved_and_refuted_in_the_same_case(client, name):
    """Where one mode is in two claims with different verdicts, the proof has the stronger premise."""
    for proved in about(client, name):
        for refuted in about(client, name):
            if (proved.expected, refuted.expected) != (Verdict.PROVED, Verdict.REFUTED):
                continue
            if {*proved.world.modes} & {*refuted.world.modes}:
                weak, strong = ({*world.limits, *world.own} for world in (refuted.world, proved.world))
                assert weak < strong or (refuted.world.foreign and not proved.world.foreign)


@each("row", ROWS, ids=lambda row: row.guarantee.name)
def test_row_lists_its_own_clients(row):
    assert {*row.holds} <= {*row.of} <= {*CLIENTS, *VARIANTS}
    for client in row.of:
        (claim,) = [claim for claim in about(client, row.guarantee.name) if claim.world == row.scenario(client)]
        assert (claim.expected is Verdict.PROVED) is (client in row.holds)
        assert claim.source == row.guarantee.source


def test_guarantee_names_and_sentences_are_unique():
    promises = {row.guarantee for row in ROWS}
    assert len({promise.name for promise in promises}) == len(promises)
    assert len({promise.sentence for promise in promises}) == len(promises)
    for promise in promises:
        assert promise.source
        assert promise.sentence == promise.sentence.rstrip(".")


def test_neighbouring_versions_are_compared_in_every_shared_mode():
    said: dict[tuple[Client, Client], set] = {}
    for pair in PAIRS:
        modes = pair.scenario(pair.one, pair.other).modes
        assert modes
        assert {*modes} <= {*pair.one.modes} & {*pair.other.modes}
        said.setdefault((pair.one, pair.other), set()).update(modes)
    older = (one for one in VARIANTS[::-1] if one is not V5_5)
    for one, other in (*pairwise((*older, V4_9, V5_0, V5_2)), (V5_5, V5_2)):
        assert said[one, other] == {*one.modes} & {*other.modes}


def test_alike_and_different_modes_do_not_overlap():
    for one in PAIRS:
        for other in PAIRS:
            same = (one.one, one.other, one.guarantee) == (other.one, other.other, other.guarantee)
            if same and one.alike and not other.alike:
                alike, not_alike = (pair.scenario(pair.one, pair.other) for pair in (one, other))
                assert not {*alike.modes} & {*not_alike.modes} or {*not_alike.limits} < {*alike.limits}


def test_transition_clients_have_their_names():
    assert JAVA == (V4_9, V5_0, V5_2)
    ids = [claim.id.split(".")[1] for claim in CLAIMS]
    assert {*ids} == {
        *(client.name for client in (*CLIENTS, *VARIANTS)),
        *(f"{pair.one.name}+{pair.other.name}" for pair in PAIRS),
    }
    assert ids == sorted(ids, key=ids.index), "client by client"


def test_transition_claims_have_this_order_in_the_ledger():
    assert [claim.id for claim in LEDGER if claim.id.startswith("transition.")] == [claim.id for claim in claims()]


def test_ignored_unknowns_are_not_the_only_limits():
    """A limit on a variable that a client never reads would say nothing."""
    known = {variable.name for variable in QUEUE}
    assert all(client.ignores <= known | {"lock"} for client in CLIENTS)


def test_refuted_transition_claims_are_listed():
    refuted = {claim.id.removeprefix("transition.") for claim in CLAIMS if claim.expected is Verdict.REFUTED}
    assert {name for name in refuted if name.startswith("node.")} == {
        "node.marked.clustering",
        "node.others.with-foreign-queues",
        "node.kept",
        "node.persisted.clustering",
        "node.persisted.broadcasting",
        "node.persisted.broadcasting.when-persist-works",
        "node.unsubscribed-offset",
    }
    assert {name for name in refuted if name.startswith("java_v5_2.")} == {
        "java_v5_2.others.with-foreign-queues",
        "java_v5_2.pulls.push-own-store",
        "java_v5_2.kept.push",
        "java_v5_2.persisted.clustering-as-shipped",
        "java_v5_2.persisted.broadcasting-as-shipped",
        "java_v5_2.unlocked.push-orderly",
        "java_v5_2.returns.push-orderly-as-shipped",
        "java_v5_2.returns.own-store",
        "java_v5_2.heals.pull-and-lite-pull",
        "java_v5_2.no-stray-lock.push-orderly.when-unlocks-arrive",
        "java_v5_2.stray-lock-freed.push-orderly-as-shipped.when-unlocks-arrive",
        "java_v5_2.no-group-lock.push-orderly-broadcasting-up-to-5-3-1",
        "java_v5_2.listener.push-orderly",
        "java_v5_2.renewed.push-orderly",
        "java_v5_2.unsubscribed-offset",
        "java_v5_2.unsubscribed-lock.push-orderly",
    }


@each(
    ("name", "who"),
    [
        ("java_v5_2.exact", "nothing"),
        ("java_v5_2.marked", "locks, unlocks, broker addresses, offset queries, sending offsets, writing offsets, {}"),
        ("java_v4_9.marked.as-shipped", "locks, unlocks, broker addresses, offset queries, sending offsets, {file}"),
        ("java_v5_2.pulls.push-own-store", "locks, unlocks, broker addresses, offset queries, {}"),
        ("java_v5_2.pulls.push-own-store.when-nothing-unexpected", "locks, unlocks, broker addresses, offset queries"),
        ("java_v4_9.kept.pull-and-lite-pull", "offset queries, sending offsets, writing offsets, {}"),
        ("java_v5_2.no-stray-lock.push-orderly.when-offsets-answer", "locks, sending offsets, {}"),
        ("java_v5_2.persisted.clustering-as-shipped.when-persist-works", "{locks}, offset queries"),
        ("node.persisted.clustering", "offset queries, sending offsets"),
        ("java_v5_2.unsubscribed-offset", "nothing"),
        ("java_v5_2.renewed.push-orderly", "locks"),
    ],
)
def test_claim_sentence_names_the_failing_part(name, who):
    (claim,) = [claim for claim in CLAIMS if claim.id == f"transition.{name}"]
    said = who.replace("{locks}", "locks, unlocks, broker addresses")
    said = said.replace("{file}", "writing offsets").replace("{}", "the user's store")
    assert failing(claim.world) == said
