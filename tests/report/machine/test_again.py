"""Why an action of a trace cannot follow the previous ones."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.report.machine.shown import _stops


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (None, ""),
        (Impossible("x"), "the client's code does not do this at that time"),
        (KeyError("x"), "the client's code cannot do this at that time (KeyError)"),
        (AttributeError("x"), "the client's code cannot do this at that time (AttributeError)"),
        (AssertionError("x"), "the client's code cannot do this at that time (AssertionError)"),
    ],
)
def test_exception_of_the_code_is_reported(error, said):
    def run(claim, schedule, times):
        if error:
            raise error

    assert _stops(SimpleNamespace(run=run), None, (), ()) == said
