"""Why an action of a trace cannot follow the others."""

from types import SimpleNamespace

import pytest

from rebalance_proofs.model.possible import Impossible
from rebalance_proofs.report.machine.again import _stops


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
def test_what_the_code_raises_is_told(error, said):
    def run(claim, schedule, times):
        if error:
            raise error

    assert _stops(SimpleNamespace(run=run), None, (), ()) == said
