"""Obligations that a client's code and terms have the same effects on a queue.

There is one obligation per mode of use (such as push or pull), over all paths through the code.
"""

from functools import cache, partial
from types import SimpleNamespace

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.transition.client import Client, Mode
from rebalance_proofs.model.transition.step import TransitionEncoding
from rebalance_proofs.model.transition.variables import CONSUMER, MODE, QUEUE, ROUND, possible, values_of
from rebalance_proofs.model.transition.view import table_of
from rebalance_proofs.proofs.code.errors import Unsupported
from rebalance_proofs.proofs.code.run import Run
from rebalance_proofs.proofs.code.transition.same import Comparison
from rebalance_proofs.proofs.code.transition.turn import Outcome, turn
from rebalance_proofs.proofs.code.transition.unknowns import offset_or_error
from rebalance_proofs.proofs.obligation import Obligation, Statement

UNKNOWNS = tuple(variable.name for known in (QUEUE, ROUND, CONSUMER) for variable in known)
MOST = 20_000
"""The largest number of paths through a rebalance of one queue."""

Answers = tuple[bool, ...]
Outcomes = dict[Answers, tuple[list[smt.BoolTerm], Outcome]]


def obligation(client: Client, mode: Mode) -> Obligation:
    """Return the obligation that code and terms agree in one mode of use.

    It covers any state of the queue and any answers. The table has no other queue.
    """
    sentence = (
        f"{client.rocketmq_name}, {mode.name}: code and terms have the same effects on a queue, in the same order."
    )
    return Obligation(mode.slug, sentence, UNKNOWNS, partial(_state, client, mode), logic="QF_LIA")


@cache
def outcomes(client: Client, mode: Mode) -> Outcomes:
    """Return the conditions and the outcome of each path through a rebalance of one queue.

    The keys are the branches of a path, in the order of evaluation: whether each condition is true.
    """
    found: Outcomes = {}
    waiting: list[Answers] = [()]
    while waiting:
        run = Run(waiting.pop())
        outcome = turn(run, client, mode)
        if run.guards:
            raise Unsupported("a division, or an index, in a rebalance")
        found[run.turning.answers] = run.turning.conditions, outcome
        waiting += run.turning.others
        if len(found) > MOST:
            raise Unsupported(f"more than {MOST} paths through a rebalance")
    return found


def _state(client: Client, mode: Mode, encoding: TransitionEncoding, v: SimpleNamespace) -> Statement:
    given = {
        "state and answers are in range": smt.And(
            [formula for known in (QUEUE, ROUND, CONSUMER) for formula in possible(known, values_of(v, known, 0))]
        ),
        "stored is an offset, or one of four other answers": offset_or_error(v.stored),
    }
    used = {one.name: smt.IntVal(getattr(mode, one.name)) for one in MODE}
    unknown = SimpleNamespace(**{name: smt.Int(name) for name in UNKNOWNS}, **used)
    (view,) = table_of(encoding, unknown, queues=1, rounds=1).views
    then = tree(outcomes(client, mode), Comparison(view.steps[0]))
    return Statement(given, smt.substitute(then, *((smt.Int(name), value) for name, value in vars(v).items())))


def tree(found: Outcomes, comparison: Comparison) -> smt.BoolTerm:
    """Return a decision tree over the paths' conditions, in the order of the code.

    A leaf compares a path's outcome with the terms. Raises ``KeyError`` if a path is missing.
    """
    ways = {
        answers[:place]: condition
        for answers, (conditions, _) in found.items()
        for place, condition in enumerate(conditions)
    }

    def below(answers: Answers) -> smt.BoolTerm:
        if answers in found:
            return comparison.same(found[answers][1])
        condition = ways[answers]
        yes, no = below((*answers, True)), below((*answers, False))
        return yes if yes is no else smt.If(condition, yes, no)

    return below(())
