"""Self-tests of comparing a client's code with its compiled terms for one queue.

The terms are wrong, or a case is missing.
"""

from functools import partial

from rebalance_proofs.evidence.self_tests.compared import said_of
from rebalance_proofs.evidence.self_tests.trial import Trial
from rebalance_proofs.evidence.self_tests.wrong_steps import wrong_clients
from rebalance_proofs.model.transition.client import PUSH
from rebalance_proofs.model.transition.clients import NODE
from rebalance_proofs.spark_enum.transition.space import Space, of_mode
from rebalance_proofs.spark_enum.transition.trials import Singles


class _OneLess(Singles):
    """The comparison of code and terms, without its last case."""

    @property
    def codes(self) -> int:
        return self.space.size - 1


def trials() -> list[Trial]:
    """Return a self-test for each compared part of a rebalance's outcome."""
    # queues without a process queue: few cases, with all effects of a new process queue
    space = Space(of_mode(NODE, PUSH).blocks[:1])
    right = partial(said_of, Singles(NODE, space).check())
    found = [
        Trial(f"singles: {name}", right, partial(said_of, Singles(client, space).check()))
        for name, client in wrong_clients(NODE).items()
    ]
    return [*found, Trial("singles: a case is skipped", right, partial(said_of, _OneLess(NODE, space).check()))]
