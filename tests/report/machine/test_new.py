"""A new machine's page is written completely or not at all."""

import shutil

import pytest

from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.machine.declared import TABLES, write
from tests.faults.anchors import ROOT
from tests.report.snapshot import snapshot


@pytest.fixture
def checkout(tmp_path):
    """The tables of kinds, and the folder of pages."""
    (tmp_path / "model" / "machines").mkdir(parents=True)
    for folder in TABLES:
        (tmp_path / folder).mkdir()
        shutil.copy(ROOT / folder / "kinds.py", tmp_path / folder)
    return tmp_path


def test_new_kind_is_the_last_row_of_each_table(checkout):
    write(checkout, "two_doors")
    for folder in TABLES:
        rows = (checkout / folder / "kinds.py").read_text(encoding="utf-8").partition("\n    }\n)\n")[0].splitlines()
        assert rows[-1] == f'        "two_doors": "rebalance_proofs.{folder}.machine.declared.kind:two_doors",'
    assert '"Two doors",' in (checkout / "model" / "machines" / "two_doors.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Counting", "'Counting' is not possible as a name; use lowercase letters, digits and _"),
        ("../x", "'../x' is not possible as a name"),
        ("class", "'class' is not possible as a name"),
        ("settling", "there is already a kind of claims 'settling'"),
        ("movement", "there is already a kind of claims 'movement'"),
    ],
)
def test_name_that_is_not_possible_writes_nothing(checkout, name, said):
    before = snapshot(checkout)
    with pytest.raises(UsageError, match=said.replace("..", r"\.\.")):
        write(checkout, name)
    assert snapshot(checkout) == before


def test_page_that_exists_is_kept(checkout):
    write(checkout, "doors")
    with pytest.raises(UsageError, match="already a kind of claims 'doors'"):
        write(checkout, "doors")


def test_changed_table_writes_nothing(checkout):
    (checkout / "report" / "kinds.py").write_text("KINDS = {}", encoding="utf-8")
    before = snapshot(checkout)
    with pytest.raises(UsageError, match=r"cannot find the table of kinds in report/kinds\.py"):
        write(checkout, "doors")
    assert snapshot(checkout) == before


def test_folder_without_machines_is_no_checkout(tmp_path):
    with pytest.raises(UsageError, match="is not a checkout of this project"):
        write(tmp_path, "doors")
