"""Guarantees about the process queues in a client's table after a rebalance."""

from collections.abc import Callable
from types import SimpleNamespace

from rebalance_proofs.model.client.effects import PULL_REQUEST
from rebalance_proofs.model.client.settings import PUSH
from rebalance_proofs.model.releases import CONSUMERS
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Mode
from rebalance_proofs.model.transition.numbers import KINDS
from rebalance_proofs.model.transition.rounds import Rounds, Watched
from rebalance_proofs.model.transition.step import Slot, TransitionEncoding
from rebalance_proofs.model.transition.view import View
from rebalance_proofs.proofs.guarantee import Guarantee
from rebalance_proofs.proofs.obligation import Obligation, Statement
from rebalance_proofs.proofs.transition.scenario import Scenario, SymbolicRounds

# Guarantees about every single queue of a rebalance, proved for an arbitrary queue.
#
# Observed rebalances can be checked, too.


# Links to the clients' code, and to reports about its behaviour.

REBALANCE = f"{CONSUMERS}/RebalanceImpl.java"
REBALANCE_PUSH = f"{CONSUMERS}/RebalancePushImpl.java"

ISSUES = "https://github.com/apache/rocketmq/issues"
GO_UNLOCK = "https://github.com/apache/rocketmq-client-go/pull/1220"


# Words for descriptions of violations of guarantees about rebalances.


def name(seen: Watched) -> str:
    """Return the display name of the watched queue: ``queue 0 of T``."""
    return f"queue {seen.queue.queue_id} of {seen.queue.topic}"


def done(seen: Watched) -> list[str]:
    """Return the names of the effects on the watched queue in one rebalance, in order."""
    return [effect[0] for effect in seen.effects]


Holds = Callable[[View], smt.BoolTerm]
Broken = Callable[[Mode, tuple[Watched, ...]], str | None]


def of_each_queue(
    name: str,
    sentence: str,
    source: str,
    holds: Holds,
    broken: Broken,
    *,
    assumes: tuple[str, ...] = (),
    where: tuple[str, ...] = (),
) -> Guarantee:
    """Return the guarantee that every queue satisfies ``holds``.

    ``holds`` is a condition on one queue through all rebalances of a scenario. ``broken(mode, rounds)`` checks
    observed rebalances of one queue. ``assumes``, ``where``: see ``Guarantee``.
    """

    def state(encoding: TransitionEncoding, v: SimpleNamespace, scenario: Scenario) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        return Statement(scenario.given(v, 1) | scenario.about(v) | possible, holds(scenario.view(encoding, v)))

    def obligations(scenario: Scenario) -> tuple[Obligation, ...]:
        own = Obligation(
            name,
            f"For any queue and any other queues: {sentence}.",
            scenario.names(1) + scenario.thrown_names(),
            lambda encoding, v: state(encoding, v, scenario),
            goals=scenario.goals,
        )
        return (own,) if scenario.quiet is None else (own, quiet(scenario))

    def broken_by(found: SymbolicRounds) -> smt.BoolTerm:
        return found.table.any(lambda view: smt.And(view.meant, smt.Not(holds(view))))

    def first_broken(found: Rounds) -> str | None:
        for number in range(len(found.case.queues)):
            if found.meant and not found.meant[number]:
                continue
            said = broken(found.mode, tuple(round_.queues[number] for round_ in found.rounds))
            if said:
                return said
        return None

    return Guarantee(name, sentence, source, obligations, broken_by, first_broken, assumes=assumes, where=where)


def quiet(scenario: Scenario) -> Obligation:
    """Return the obligation that no queue causes an exception, under the scenario's limits.

    The proof is by induction over the queues.
    """

    def state(encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
        possible, _ = scenario.thrown(encoding, v)
        steps = scenario.view(encoding, v).steps[scenario.loud :]
        throws = [smt.Or(step.removing_throws, step.adding_throws) for step in steps]
        return Statement(scenario.given(v, 1) | possible, smt.Not(smt.Or(throws)))

    return Obligation(
        "quiet",
        "No queue throws an exception if none has thrown one before.",
        scenario.names(1) + scenario.thrown_names(),
        state,
        goals=scenario.goals,
    )


def _marked(view: View) -> smt.BoolTerm:
    stays = smt.And(view.after.present, view.mine, smt.Not(view.asked[-1].in_set))
    return smt.Implies(stays, view.after.dropped)


def _unmarked(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.mine and not last.asked.in_set and last.after and not last.after.dropped:
        return f"{name(last)} no longer belongs to this client, but its process queue stays and is not dropped."
    return None


MARKED = of_each_queue(
    "marked",
    "no queue outside mqSet keeps a process queue that is not dropped",
    REBALANCE,
    _marked,
    _unmarked,
)


def pulls(view: View) -> smt.IntTerm:
    """Return the number of pull requests that the last rebalance dispatches for the queue."""
    found: list[Slot] = [slot for slot in view.steps[-1].slots if slot.name == PULL_REQUEST]
    return smt.Sum([smt.If(slot.happens, 1, 0) for slot in found]) if found else smt.IntVal(0)


def _added(view: View) -> smt.BoolTerm:
    return smt.And(view.after.present, view.after.fresh)


def _exact(view: View) -> smt.BoolTerm:
    after, asked = view.after, view.asked[-1]
    pushes = asked.kind == KINDS.index(PUSH)
    table = smt.And(after.present == asked.in_set, smt.Implies(after.present, smt.Not(after.dropped)))
    return smt.Implies(view.mine, smt.And(table, pulls(view) == smt.If(smt.And(pushes, _added(view)), 1, 0)))


def _pulled(seen: Watched) -> int:
    return sum(effect[0] == PULL_REQUEST for effect in seen.effects)


def _inexact(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if not last.mine:
        return None
    if bool(last.after) != bool(last.asked.in_set):
        return f"{name(last)} is {'in' if last.asked.in_set else 'not in'} mqSet, but the table differs."
    if last.after and last.after.dropped:
        return f"the process queue of {name(last)} is dropped, although the queue belongs to this client."
    added = bool(last.after and last.after.fresh)
    if _pulled(last) != int(added and KINDS[mode.kind].passive):
        return f"{_pulled(last)} pull requests are dispatched for {name(last)}, {'new' if added else 'not new'}."
    return None


EXACT = of_each_queue(
    "exact",
    "the table equals mqSet, nothing is dropped, and exactly the queues a push consumer adds get a pull request",
    REBALANCE,
    _exact,
    _inexact,
)


def _untouched(view: View) -> smt.BoolTerm:
    before, after = view.before, view.after
    same = [
        after.present == before.present,
        smt.Implies(before.present, after.dropped == before.dropped),
        smt.Implies(before.present, after.locked == before.locked),
        after.memory == before.memory,
        smt.Not(smt.And(after.present, after.fresh)),
        smt.Not(smt.Or([slot.happens for slot in view.steps[-1].slots])),
    ]
    return smt.Implies(smt.Not(view.mine), smt.And(same))


def _touched(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if not last.mine and (last.before != last.after or last.memory[0] != last.memory[1] or last.effects):
        return f"the rebalance of another topic touches {name(last)}."
    return None


OTHERS = of_each_queue("others", "queues of other topics are untouched", REBALANCE, _untouched, _touched)


def _one_pull(view: View) -> smt.BoolTerm:
    return pulls(view) == smt.If(_added(view), 1, 0)


def _pulls_wrong(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    added = bool(last.after and last.after.fresh)
    if _pulled(last) == int(added):
        return None
    what = "has a new process queue" if added else "has no new process queue"
    dispatched = f"{_pulled(last)} pull requests are" if _pulled(last) > 1 else "a pull request is"
    return f"{name(last)} {what}, and {dispatched if _pulled(last) else 'no pull request is'} dispatched for it."


PULLS = of_each_queue(
    "pulls",
    "exactly the added process queues get one pull request",
    REBALANCE,
    _one_pull,
    _pulls_wrong,
)


def _nothing_more(view: View) -> smt.BoolTerm:
    first, second = view.steps
    still = smt.And(
        second.after.present == first.after.present, smt.Not(smt.Or([slot.happens for slot in second.slots]))
    )
    return still


def _something_more(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.effects or bool(last.before) != bool(last.after):
        return f"the second rebalance changes {name(last)} again."
    return None


IDEMPOTENT = of_each_queue(
    "idempotent",
    "a second rebalance with the same mqSet changes nothing",
    REBALANCE,
    _nothing_more,
    _something_more,
)


def _not_replaced(view: View) -> smt.BoolTerm:
    stays = smt.And(view.before.present, view.mine, view.asked[-1].in_set)
    return smt.Implies(stays, smt.And(view.after.present, smt.Not(view.after.fresh)))


def _replaced(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.mine and last.before and last.asked.in_set and (not last.after or last.after.fresh):
        what = "replaced" if last.after else "gone"
        return f"{name(last)} still belongs to this client, but its process queue is {what}."
    return None


KEPT = of_each_queue(
    "kept",
    "a queue that stays with this client keeps its process queue",
    f"{ISSUES}/1918",
    _not_replaced,
    _replaced,
)


LIVE = "a live process queue: one that is not dropped"


def _returned(view: View) -> smt.BoolTerm:
    return smt.And(view.after.present, smt.Not(view.after.dropped))


def _stuck(mode: Mode, seen: tuple[Watched, ...]) -> str | None:
    last = seen[-1]
    if last.after and last.after.dropped:
        return f"{name(last)} belongs to this client, but its old, dropped process queue blocks a live one."
    if not last.after:
        return f"{name(last)} belongs to this client, but has no process queue."
    return None


RETURNS = of_each_queue(
    "returns",
    "a queue that is taken away and given back has a live process queue",
    f"{ISSUES}/2732",
    _returned,
    _stuck,
    where=(LIVE,),
)
HEALS = of_each_queue(
    "heals",
    "a dropped process queue whose pull has expired is replaced by a live one",
    f"{ISSUES}/1918",
    _returned,
    _stuck,
    where=(LIVE,),
)
