"""Mutants of the code: detected by the obligations about it, unless they compute the same."""

from itertools import product

import pytest

from rebalance_proofs.model.allocation.averagely import AVERAGELY
from rebalance_proofs.model.allocation.averagely_by_circle import AVERAGELY_BY_CIRCLE
from rebalance_proofs.model.allocation.machine_room import KINDS, MACHINE_ROOM
from rebalance_proofs.model.allocation.machine_room_others import MACHINE_ROOM_GO
from rebalance_proofs.model.allocation.strategy import AllocationError, check
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.proofs.code.obligations import obligations
from rebalance_proofs.proofs.solvers import SOLVERS
from tests.proofs.code.mutated import concrete, edited, unproved, with_names

SHORT = "start_index = index * average_size if mod > 0 and index < mod else index * average_size + mod"
CUT = "min(average_size, len(mq_all) - start_index)"
LOOP = (
    "for i in range(index, len(mq_all)):\n        if i % len(cid_all) == index:\n            result.append(mq_all[i])"
)
BLOCK = "start_index = average * index"
REST = "premq_all[index + average * len(cid_all)]"

WRONG = {
    "avg, min dropped": (AVERAGELY, CUT, "average_size", "path-2.length"),
    "avg, <= for <": (AVERAGELY, "elif mod > 0 and index < mod", "elif mod > 0 and index <= mod", "path-5.length"),
    "avg, + mod dropped": (AVERAGELY, "else index * average_size + mod", "else index * average_size", "path-5.element"),
    "avg, loop from 1": (AVERAGELY, "range(range_)", "range(1, range_)", "path-1.length"),
    "avg, the next position": (AVERAGELY, "(start_index + i)", "(start_index + i + 1)", "path-1.element"),
    "avg, size 2": (AVERAGELY, "average_size = 1", "average_size = 2", "path-1.length"),
    "avg, beyond the end": (AVERAGELY, "(start_index + i) % len(mq_all)", "len(mq_all) + i", "path-1.inside"),
    "avg, nothing for c > q": (
        AVERAGELY,
        "    for i in range(range_)",
        "    if len(mq_all) < len(cid_all):\n        return result\n    for i in range(range_)",
        "path-1.length",
    ),
    "circle, loop from index + 1": (AVERAGELY_BY_CIRCLE, "range(index,", "range(index + 1,", "path-1.element"),
    "circle, >= for ==": (AVERAGELY_BY_CIRCLE, ") == index", ") >= index", "path-1.length"),
    "circle, the position before": (AVERAGELY_BY_CIRCLE, "mq_all[i]", "mq_all[i - 1]", "path-1.inside"),
    "circle, not the last": (AVERAGELY_BY_CIRCLE, "len(mq_all)):", "len(mq_all) - 1):", "path-1.element"),
    "circle, steps of c + 1": (
        AVERAGELY_BY_CIRCLE,
        LOOP,
        "for i in range(index, len(mq_all), len(cid_all) + 1):\n        result.append(mq_all[i])",
        "path-1.length",
    ),
    "room, any number of parts": (MACHINE_ROOM, "len(parts) != 2", "len(parts) < 2", "kept"),
    "room, >= for >": (MACHINE_ROOM, "rem > index", "rem >= index", "path-1.length"),
    "room, block from mqAll": (MACHINE_ROOM, "premq_all[i]", "mq_all[i]", "path-1.taken"),
    "room, blocks begin one later": (MACHINE_ROOM, BLOCK, f"{BLOCK} + 1", "path-1.element"),
    "room, remainder from the front": (MACHINE_ROOM, REST, "premq_all[index]", "path-1.element"),
    "go, any number of parts": (MACHINE_ROOM_GO, "len(temp) == 2", "len(temp) >= 2", "kept"),
    "go, >= for >": (MACHINE_ROOM_GO, "rem > index", "rem >= index", "path-1.length"),
    "go, block from the kept": (MACHINE_ROOM_GO, "(mq_all[i])", "(premq_all[i])", "path-1.taken"),
    "go, remainder from mqAll": (MACHINE_ROOM_GO, REST, "mq_all[index + average * len(cid_all)]", "path-1.taken"),
    "go, raises at the end": (MACHINE_ROOM_GO, "if i >= len(mq_all)", "if i >= len(mq_all) - 1", "path-2.inside"),
}
SAME = {
    "avg, < for <= between q and c": (AVERAGELY, "len(mq_all) <= len(cid_all)", "len(mq_all) < len(cid_all)"),
    "avg, no remainder by the length": (AVERAGELY, "(start_index + i) % len(mq_all)", "start_index + i"),
    "avg, a condition left out": (AVERAGELY, SHORT, SHORT.replace("mod > 0 and ", "")),
    "circle, loop from 0": (AVERAGELY_BY_CIRCLE, "range(index,", "range("),
    "circle, by enumerate": (
        AVERAGELY_BY_CIRCLE,
        "for i in range(index, len(mq_all))",
        "for i, _ in enumerate(mq_all)",
    ),
    "room, the end by a product": (MACHINE_ROOM, "start_index + average", "average * (index + 1)"),
    "go, a check that is never met": (MACHINE_ROOM_GO, "if i >= len(mq_all)", "if i > len(mq_all)"),
}


IN_STEPS = "for i in range(index, len(mq_all), len(cid_all)):\n        result.append(mq_all[i])"


def results(allocate):
    """What it returns for all small lists, or what it throws; queues are on brokers of all kinds."""
    found = []
    for q, c in product(range(1, 8), range(1, 5)):
        queues = [MessageQueue("T", KINDS[place % len(KINDS)], place) for place in range(q)]
        kept = [MessageQueue("T", KINDS[0], place) for place in range(q)]
        for index, mq_all in product(range(c), (queues, kept)):
            try:
                found.append(allocate(f"c{index}", mq_all, [f"c{place}" for place in range(c)]))
            except (AllocationError, IndexError) as error:
                found.append(type(error))
    return found


@pytest.mark.parametrize(("strategy", "old", "new", "noticed"), WRONG.values(), ids=WRONG)
def test_wrong_code_gives_other_results(strategy, old, new, noticed):
    assert results(concrete(edited(strategy, (old, new)))) != results(strategy.allocate)


@pytest.mark.parametrize(("strategy", "old", "new"), SAME.values(), ids=SAME)
def test_equivalent_code_gives_the_same_results(strategy, old, new):
    assert results(concrete(edited(strategy, (old, new)))) == results(strategy.allocate)


def test_correct_code_may_be_unprovable():
    """The number of iterations of a stepped loop needs more than one lemma; nothing false is proved of it."""
    subject = edited(AVERAGELY_BY_CIRCLE, (LOOP, IN_STEPS))
    assert results(concrete(subject)) == results(AVERAGELY_BY_CIRCLE.allocate)
    assert unproved(subject, AVERAGELY_BY_CIRCLE.encoding) == ["path-1.length"]


@pytest.mark.parametrize(("strategy", "old", "new", "noticed"), WRONG.values(), ids=WRONG)
def test_wrong_code_is_noticed(strategy, old, new, noticed):
    assert unproved(edited(strategy, (old, new)), strategy.encoding, only=noticed) == [noticed]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("strategy", "old", "new"), SAME.values(), ids=SAME)
def test_equivalent_code_is_proved(strategy, old, new, solver):
    assert unproved(edited(strategy, (old, new)), strategy.encoding, solver) == []


def never_refuses(current_cid, mq_all, cid_all):
    return current_cid in cid_all


def refuses_nobody_else(current_cid, mq_all, cid_all):
    if not current_cid:
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    return True


def refuses_one_queue(current_cid, mq_all, cid_all):
    if not current_cid:
        raise AllocationError("currentCID is empty")
    if not mq_all:
        raise AllocationError("mqAll is null or mqAll empty")
    if not cid_all:
        raise AllocationError("cidAll is null or cidAll empty")
    if len(mq_all) == 1:
        raise AllocationError("mqAll is short")
    return current_cid in cid_all


@pytest.mark.parametrize(
    ("helper", "noticed"),
    [
        (check, []),
        (never_refuses, ["refuses"]),
        (refuses_nobody_else, ["unlisted"]),
        (refuses_one_queue, ["refuses", "unlisted", "paths"]),
    ],
)
@pytest.mark.parametrize("strategy", [AVERAGELY, AVERAGELY_BY_CIRCLE], ids=lambda strategy: strategy.name)
def test_other_helper_is_detected(strategy, helper, noticed):
    """The helper's text is read too: it is part of the code."""
    assert unproved(with_names(strategy, {"check": helper}), strategy.encoding) == noticed


def test_unreachable_path_is_reported_as_unreachable():
    """Not that its result is right, which would be provable of anything."""
    subject = edited(AVERAGELY_BY_CIRCLE, (LOOP, f"if index >= len(cid_all):\n        return result\n    {LOOP}"))
    said = {step.name: step.sentence for step in obligations(subject, AVERAGELY_BY_CIRCLE.encoding)}
    assert {name.partition(".")[0] for name, one in said.items() if one.startswith("No consumer is on")} == {"path-1"}
    assert unproved(subject, AVERAGELY_BY_CIRCLE.encoding) == []
