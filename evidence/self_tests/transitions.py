"""Self-tests of comparing rebalances: wrong terms, wrong code, wrong tables, wrong formulas, a missing case."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from rebalance_proofs.evidence.self_tests.enumerated import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.model.client.environment import Answers
from rebalance_proofs.model.client.node import Node
from rebalance_proofs.model.client.settings import Settings
from rebalance_proofs.model.queues import MessageQueue
from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import Kernel
from rebalance_proofs.model.transition.client import PUSH, Client
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.model.transition.drivers import Done, Driver, NodeDriver
from rebalance_proofs.model.transition.step import Asked, Entry, Step, Thrown
from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.ledger import select
from rebalance_proofs.proofs.transition.scenario import slips
from rebalance_proofs.report.failures import failures
from rebalance_proofs.spark_enum.check import Check
from rebalance_proofs.spark_enum.jobs import here
from rebalance_proofs.spark_enum.results import Enumerated, Totals
from rebalance_proofs.spark_enum.transition.calls import Calls
from rebalance_proofs.spark_enum.transition.columns import alphabet, step_kernel
from rebalance_proofs.spark_enum.transition.laboratory import COMES, GOES
from rebalance_proofs.spark_enum.transition.relation import Relation
from rebalance_proofs.spark_enum.transition.space import Space, of_mode
from rebalance_proofs.spark_enum.transition.tables import Tables
from rebalance_proofs.spark_enum.transition.trials import Singles
from rebalance_proofs.spark_enum.transition.trials import promises as tried_promises
from rebalance_proofs.spark_enum.witness import compare

WRONG_STEPS: Mapping[str, str] = {
    "an effect is wrong": "never-pulls",
    "the process queue is wrong": "new-marked",
    "the return value is wrong": "silent-about-new",
    "an exception is wrong": "adding-throws",
}
"""Name of a fault -> name of the mutant that has it."""


def wrong_clients(client: Client) -> dict[str, Client]:
    """Return clients with right code and wrong terms, by the name of the fault."""
    known = {mutant.name: mutant.encoding for mutant in (*client.mutants, *slips(client.encoding))}
    return {what: replace(client, encoding=known[name]) for what, name in WRONG_STEPS.items()}


class _OneLess(Singles):
    """The comparison of code and terms, without its last case."""

    @property
    def codes(self) -> int:
        return self.space.size - 1


def singles() -> list[Trial]:
    """Return a self-test for each compared part of a rebalance's outcome."""
    # queues without a process queue: few cases, with all effects of a new process queue
    space = Space(of_mode(NODE, PUSH).blocks[:1])
    right = partial(said_of, Singles(NODE, space).check())
    found = [
        Trial(f"singles: {name}", right, partial(said_of, Singles(client, space).check()))
        for name, client in wrong_clients(NODE).items()
    ]
    return [*found, Trial("singles: a case is skipped", right, partial(said_of, _OneLess(NODE, space).check()))]


LETTERS = 6
"""The number of equivalence classes of a queue's states and answers that are compared."""

Changed = Callable[[Driver, Done], Done]


def _fewer_effects(driver: Driver, done: Done) -> Done:
    return done._replace(effects=done.effects[:-1])


def _other_result(driver: Driver, done: Done) -> Done:
    return done._replace(changed=not done.changed)


def _exception(driver: Driver, done: Done) -> Done:
    return done._replace(thrown="persist")


def _marked(driver: Driver, done: Done) -> Done:
    for entry in driver.table.values():
        entry.dropped = not entry.dropped
    return done


WRONG_CALLS: dict[str, Changed] = {
    "an effect is wrong": _fewer_effects,
    "the return value is wrong": _other_result,
    "an exception is wrong": _exception,
    "the process queue is wrong": _marked,
}
"""Name of a fault -> the wrong outcome of a call with at least two queues."""


class _Wrong(NodeDriver):
    """A driver of Node's code that is wrong in calls with two queues that are not adjacent.

    The queues are ``GOES`` and ``COMES``.
    """

    def __init__(self, change: Changed, settings: Settings, order: bool, own_store: bool) -> None:
        super().__init__(Node, settings, order, own_store)
        self._change = change

    def update(self, answers: Mapping[MessageQueue, Answers], topic: str, mq_set: Sequence[MessageQueue]) -> Done:
        done = super().update(answers, topic, mq_set)
        known = {queue.queue_id for queue in (*mq_set, *self.table)}
        return self._change(self, done) if len(known) > 1 and not known & {GOES, COMES} else done


def _with_driver(change: Changed) -> Client:
    return replace(NODE, driver=partial(_Wrong, change))


@cache
def _letters() -> tuple[int, ...]:
    return alphabet(NODE, PUSH).at_most(LETTERS)


def calls() -> list[Trial]:
    """Return a self-test for each compared part of a rebalance's outcome."""

    def said(client: Client) -> tuple[str, ...]:
        return said_of(Calls(client, PUSH, _letters(), 2, ways=2).check())

    right = partial(said, NODE)
    return [Trial(f"calls: {name}", right, partial(said, _with_driver(change))) for name, change in WRONG_CALLS.items()]


class _Flipped(Tables):
    """Tables of states and effects, in which one column of the last table is wrong."""

    column: int

    @property
    def _kernel(self) -> Kernel:
        right, column = super()._kernel, self.column

        def kernel(*arguments: np.ndarray) -> tuple[np.ndarray, ...]:
            shape = np.broadcast_shapes(*(np.shape(argument) for argument in arguments))
            found = list(right(*arguments))
            wrong = np.array(np.broadcast_to(found[column], shape))
            last = wrong.reshape(-1)[-1:]
            last[:] = ~last  # changed as a Boolean and as a number
            found[column] = wrong
            return tuple(found)

        return kernel


def _flipped(letters: Sequence[int], column: int) -> Tables:
    tables = _Flipped(NODE, PUSH, tuple(letters), 2)
    tables.__dict__["column"] = column
    return tables


def tables() -> list[Trial]:
    """Return a self-test for each type of compared value.

    These are whether an exception is thrown, and a Boolean and a number of each queue.
    """
    letters = alphabet(NODE, PUSH).at_most(LETTERS)
    layout, _ = step_kernel(NODE)
    width = len(layout.columns)
    columns = {
        "an exception is wrong": 0,
        "an effect of the first queue is wrong": 1,
        "the last column of the first queue is wrong": width,
        "an effect of the second queue is wrong": 1 + width,
        "the second queue's offset in memory is wrong": 1 + width + layout.rest,
    }
    right = partial(said_of, Tables(NODE, PUSH, letters, 2).check())
    return [
        Trial(f"tables: {name}", right, partial(said_of, _flipped(letters, column).check()))
        for name, column in columns.items()
    ]


def _open(client: Client) -> Client:
    """Return the client with terms that leave open whether a rebalance reports a change.

    Its formulas have two models.
    """

    def step(entry: Entry, asked: Asked, thrown: Thrown) -> Step:
        return replace(client.encoding.step(entry, asked, thrown), changed=smt.Bool("anything"))

    return replace(client, encoding=replace(client.encoding, step=step))


def _impossible(client: Client) -> Client:
    """Return the client whose formulas have no model."""
    return replace(client, encoding=replace(client.encoding, possible=lambda thrown, own_store: smt.BoolVal(False)))


def models() -> list[Trial]:
    """Return the self-tests: one for each compared part, and for too many or too few models."""
    letters = alphabet(NODE, PUSH).at_most(LETTERS)

    def said(client: Client) -> tuple[str, ...]:
        return said_of(Relation(client, PUSH, letters).check())

    right = partial(said, NODE)
    wrong = wrong_clients(NODE) | {
        "two models for one outcome": _open(NODE),
        "a formula has no model": _impossible(NODE),
    }
    return [Trial(f"models: {name}", right, partial(said, client)) for name, client in wrong.items()]


HOLDS, FAILS = "transition.node.exact", "transition.node.others.with-foreign-queues"
DEPTHS = (2,)
"""Numbers of deviations from a rebalance without failures that refute the failing claim."""


def _said_of_promise(claim: Claim, passed_over: bool = False) -> Sequence[str]:
    """Return the failures that a run lists for the claim.

    ``passed_over``: whether the last part of the cases is skipped.
    """

    def run(checks: Sequence[Check]) -> list[Totals]:
        return here([replace(check, pieces=check.pieces - passed_over) for check in checks])

    (found,) = tried_promises(run, [claim], DEPTHS)
    return (*failures(found), *compare([claim], Enumerated("", "", (found,))).unexpected)


def promises() -> list[Trial]:
    """Return the self-tests: a guarantee with the opposite expectation, and broken checks."""
    (holds,), (fails,) = select([HOLDS]), select([FAILS])
    silent = replace(fails.guarantee, violation=lambda rounds: None)
    loud = replace(holds.guarantee, violation=lambda rounds: "a fault is reported.")
    wrong = {
        "a guarantee that holds is expected to fail": (holds, replace(holds, holds=False)),
        "a guarantee that fails is expected to hold": (fails, replace(fails, holds=True)),
        "the check of a round never finds anything": (fails, replace(fails, guarantee=silent)),
        "the check of a round always finds something": (holds, replace(holds, guarantee=loud)),
    }
    found = [
        Trial(f"promises: {name}", partial(_said_of_promise, right), partial(_said_of_promise, changed))
        for name, (right, changed) in wrong.items()
    ]
    left_out = Trial(
        "promises: cases are skipped", partial(_said_of_promise, holds), partial(_said_of_promise, holds, True)
    )
    return [*found, left_out]
