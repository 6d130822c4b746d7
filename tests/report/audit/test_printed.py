"""Output of mqadmin among logs: files of one group are analysed together."""

import pytest

from rebalance_proofs.recorded.logs.sources import sources
from rebalance_proofs.report.audit.printed import printed
from tests.report.symptoms.printed import Consumer, member


@pytest.mark.parametrize(
    ("groups", "names"),
    [
        ("GG", ["0.txt, 1.txt"]),
        ("GH", ["0.txt", "1.txt"]),
        ("GGH", ["0.txt", "1.txt", "2.txt"]),
        ("GGG", ["0.txt, 1.txt, 2.txt"]),
    ],
)
def test_files_of_one_group_are_merged(groups, names, tmp_path):
    paths = [tmp_path / f"{place}.txt" for place in range(len(groups))]
    for place, (path, group) in enumerate(zip(paths, groups, strict=True)):
        path.write_text(member(Consumer(group=group, address=f"10.0.0.{place}")), encoding="utf-8")
    spool = tmp_path / "spool"
    spool.mkdir()
    found, left = sources([str(path) for path in paths], spool)
    told, unread = printed(found, spool)
    assert [", ".join(part.rpartition("/")[2] for part in one.names) for one in told] == names
    assert (left, unread) == ([], [])
