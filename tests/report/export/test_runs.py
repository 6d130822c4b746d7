"""Exported tests fail on the faulty release of a client, and pass on a mended one."""

import pytest

from tests.report.export.cases import CASES
from tests.report.export.runs import Case, require_tools, run, shows


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_exported_test_fails_until_the_fault_is_mended(case: Case, tmp_path):
    """It fails by its assertion; and passes on a mended release, or on a copy of the release that is mended here."""
    require_tools(case.language)
    passes, output = run(case, tmp_path / "faulty", None)
    assert not passes, output
    assert shows(case, output), output
    passes, output = run(case, tmp_path / "mended", case.mended)
    assert passes, output


def test_cases_cover_languages_causes_and_the_rebalance_step():
    """At least twelve tests, four languages, six causes, and four of the rebalance or assignment step."""
    assert len(CASES) >= 12
    assert len({case.language for case in CASES}) >= 4
    assert len({case.claim.split(".")[0] + case.claim.split(".")[2] for case in CASES}) >= 6
    assert sum(not case.claim.startswith("allocation") for case in CASES) >= 4
