"""The strategy of docs/adding-a-strategy.md, taken from the page, works when the page is followed."""

import asyncio
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from model.allocation import STRATEGIES, Strategy
from proofs.allocation import claims, subscriptions
from proofs.claim import Verdict
from proofs.prove import Options, prove
from spark_enum.space import Space
from spark_enum.witness import checks

PAGE = Path(__file__).parent.parent.parent / "docs" / "adding-a-strategy.md"


@pytest.fixture(scope="module")
def strategy():
    """The page's file as a module, its strategy added to the registry."""
    source = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    module = ModuleType("taken_from_the_page")
    sys.modules[module.__name__] = module
    exec(compile(source, str(PAGE), "exec"), module.__dict__)
    yield module.ACTIVE_STANDBY
    del sys.modules[module.__name__]


def others(strategy: Strategy) -> tuple[Strategy, ...]:
    """The registry, also where somebody has really followed the page."""
    return tuple(other for other in STRATEGIES if other.name != strategy.name)


def test_every_claim_comes_out_as_claimed(strategy):
    registry = (*others(strategy), strategy)
    added = [claim for claim in (*claims(registry), *subscriptions.claims(registry)) if strategy in claim.strategies]
    results = asyncio.run(prove(added, Options()))
    assert [result.claim.id for result in results if not result.green] == []
    assert {result.verdict for result in results} == {Verdict.PROVED, Verdict.REFUTED}
    assert [mutant.killed for result in results for mutant in result.mutants] == [True]


def test_what_is_unclaimed_would_be_unknown(strategy):
    """As the page says of a first try."""
    (claim,) = [
        claim
        for claim in claims((replace(strategy, unclaimed=frozenset()),))
        if claim.id == "allocation.standby.covers.without-distinct-ids"
    ]
    (result,) = asyncio.run(prove([claim], Options()))
    assert result.verdict is Verdict.UNKNOWN


def test_the_enumeration_agrees(strategy):
    own = [claim for claim in claims((strategy,)) if not claim.premise.dropped]
    (check,) = checks(own)
    rows = list(check(Space(check.premise, 6, 6)))
    assert len(rows) == 36
    assert not any(row.mismatch for row in rows)
