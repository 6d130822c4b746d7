"""Queues of a table are independent: one depends on the others only by what they throw."""

from hypothesis import assume, given, settings

from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.simplified import simplify
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.rounds import Round, run
from rebalance_proofs.model.transition.step import Thrown
from rebalance_proofs.model.transition.variables import Case
from tests.model.transition.random_cases import FLAGS, assignment, own, played, step_terms, used

REMOVALS = ("persist", "scripted update")
"""What is thrown while entries are removed."""


def alone(case: Case, queue: int) -> Case:
    """One queue of the case."""
    return Case(case.consumer, (case.queues[queue],), tuple((round_[queue],) for round_ in case.rounds))


def thrower(found: Round) -> MessageQueue | None:
    """The queue in whose turn an exception has left the client's method: the last that was dealt with."""
    return found.effects[-1][1] if found.thrown else None


def caused_by_others(found: Round, queue: int) -> dict[str, int]:
    """What has been thrown before each turn of the queue, and ever, by another."""
    order = [seen.queue for seen in found.queues]
    source = thrower(found)
    if source is None or source == order[queue]:
        return dict.fromkeys(FLAGS, 0)
    earlier = order.index(source) < queue
    removing = found.thrown in REMOVALS
    return dict(zip(FLAGS, (int(removing and earlier), int(removing or earlier), 1), strict=True))


@settings(max_examples=120)
@given(used(most_rounds=1))
def test_queue_behaves_alone_as_among_others_with_the_same_exceptions(found):
    client, mode, case = found
    rounds, (outcomes,) = played(client, mode, case)
    for queue, outcome in enumerate(outcomes):
        thrown = caused_by_others(rounds.last, queue)
        (step,), _ = step_terms(client.encoding)(assignment(mode, alone(case, queue)) | thrown)
        assert possible(client, mode, thrown)
        assert step.outcome == outcome
        here = thrower(rounds.last) == rounds.last.queues[queue].queue
        if here:
            assert step.flag("removing_throws") or step.flag("adding_throws")


def possible(client: Client, mode: Mode, thrown: dict[str, int]) -> bool:
    """The client's terms allow that others throw so."""
    flags = Thrown(*(smt.BoolVal(bool(thrown[name])) for name in FLAGS))
    return smt.is_true(simplify(client.encoding.possible(flags, smt.BoolVal(bool(mode.own_store)))))


@settings(max_examples=100)
@given(used(most_rounds=1))
def test_queue_behaves_alone_as_among_others_without_exceptions(found):
    client, mode, case = found
    together = run(client, mode, case)
    assume(not together.last.thrown)
    apart = [run(client, mode, alone(case, queue)).last for queue in range(len(case.queues))]
    assert [own(seen.effects) for seen in together.last.queues] == [own(one.queues[0].effects) for one in apart]
    assert [seen.after for seen in together.last.queues] == [one.queues[0].after for one in apart]
    assert together.last.changed == any(one.changed for one in apart)
    assert not any(one.thrown for one in apart)
