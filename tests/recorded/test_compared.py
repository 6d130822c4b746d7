"""Parts of the model that have recorded results."""

import json
import shutil

import pytest

from rebalance_proofs.model.assignment import STRATEGIES as BY_THE_BROKER
from rebalance_proofs.model.profiles import RECORDED
from rebalance_proofs.recorded.compared import compared, main
from rebalance_proofs.recorded.conform import conform
from rebalance_proofs.recorded.files import FILE, OWN, VectorsError
from rebalance_proofs.recorded.transition.java import JAVA
from rebalance_proofs.recorded.transition.notation import REBALANCE
from rebalance_proofs.report.allocation.kind import BROKERS


def test_pinned_parts_equal_the_comparison():
    assert compared() == conform().of


def test_every_client_and_strategy_is_pinned():
    """No part is missing where a format names what computed a result, and no name is wrong."""
    strategies = {(profile.recorded_as, one.name) for profile in RECORDED for one in profile.strategies}
    found = {pair for pair in compared() if pair[1] != REBALANCE}
    assert strategies <= found
    brokers = {(f"broker {release}", one.name) for release in BROKERS for one in BY_THE_BROKER}
    assert brokers <= found
    over = {(client, name) for client, name in found - strategies - brokers}
    assert all(name.startswith(("nearby-", "nearby-go-")) for _, name in over)
    rebalances = {client for client, part in compared() if part == REBALANCE}
    assert rebalances == {"node", *(dialect.name for dialect in JAVA.values())}


def test_removed_data_set_supports_nothing(tmp_path):
    folder = tmp_path / "vectors"
    shutil.copytree(OWN, folder)
    before = compared(folder)
    (folder / "consistent_hash_go.tsv").unlink()
    compared.cache_clear()
    after = compared(folder)
    compared.cache_clear()
    assert before["go", "hash-go"] == after["go", "hash-go"] + 115
    shutil.rmtree(folder / "transition")
    assert {part for _, part in compared(folder)} & {REBALANCE} == set()
    compared.cache_clear()


def test_differing_results_support_nothing(tmp_path):
    folder = tmp_path / "vectors"
    shutil.copytree(OWN, folder)
    path = folder / "ring_hash.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    kind, decimal, *rest = lines[-1].split("\t")
    path.write_text("\n".join([*lines[:-1], "\t".join([kind, str(int(decimal) + 1), *rest]), ""]), encoding="utf-8")
    assert conform(folder).of["java", "hash"] == compared()["java", "hash"] - 1


def test_pinned_table_can_be_printed(capsys):
    main()
    assert json.loads(capsys.readouterr().out) == json.loads((OWN / FILE).read_text(encoding="utf-8"))


@pytest.mark.parametrize("of", [[], {"java": []}, {"java": {"avg": "many"}}, {"java": {"avg": 0}}, {"java": 3}])
def test_invalid_pinned_table_is_refused(of, tmp_path):

    (tmp_path / "a.tsv").write_text("1\n", encoding="utf-8")
    (tmp_path / FILE).write_text(json.dumps({"a.tsv": {"rows": 1, "checks": 1, "of": of}}), encoding="utf-8")
    with pytest.raises(VectorsError, match="has to be a JSON object of file names"):
        conform(tmp_path)


def test_fewer_results_than_pinned_are_detected(tmp_path):
    folder = tmp_path / "vectors"
    shutil.copytree(OWN, folder)
    table = json.loads((folder / FILE).read_text(encoding="utf-8"))
    table["ring_dump.tsv"]["of"]["java"]["hash"] += 1
    (folder / FILE).write_text(json.dumps(table), encoding="utf-8")
    assert conform(folder).failures == ("ring_dump.tsv: holds 15 checks of hash of java, and 16 are pinned",)
