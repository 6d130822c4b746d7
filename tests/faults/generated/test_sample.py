"""The sample is spread evenly, and depends on its seed alone."""

from collections import Counter

from tests.faults.generated.equivalent import EQUIVALENT
from tests.faults.generated.sample import DRAWN, PARTS, drawn
from tests.faults.generated.sites import sites_of
from tests.faults.tree import ROOT


def test_sample_has_equal_numbers_per_part_and_operator():
    sites = drawn(ROOT, 1, 200)
    assert set(Counter(site.file.partition("/")[0] for site in sites).values()) == {50}
    assert set(Counter((site.file.partition("/")[0], site.operator) for site in sites).values()) == {10}
    assert len({(site.file, site.start) for site in sites}) == 200


def test_sample_depends_only_on_the_seed():
    assert drawn(ROOT, 1, 40) == drawn(ROOT, 1, 40) == drawn(ROOT, 1, 60)[:40]
    assert len({site.name for site in drawn(ROOT, 1, 40)} & {site.name for site in drawn(ROOT, 2, 40)}) < 5


def test_excluded_files_exist_and_are_never_sampled():
    assert all((ROOT / file).is_file() for file in DRAWN)
    assert not {site.file for site in drawn(ROOT, 1, 400)} & {*DRAWN}
    assert {site.file.partition("/")[0] for site in drawn(ROOT, 1, 400)} == {*PARTS}


def test_equivalent_changes_still_exist():
    for file, text, new in EQUIVALENT:
        sites = sites_of(file, (ROOT / file).read_text(encoding="utf-8"))
        assert [site for site in sites if site.text == text and site.new == new], (file, text)
