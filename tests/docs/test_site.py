"""The checker of the documentation site finds every broken address, and nothing else."""

import re
from pathlib import Path

import pytest

from tests.docs.site import broken, main

ROOT = Path(__file__).parents[2]


def site(folder, **pages):
    for name, text in pages.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return folder


def test_site_with_valid_addresses_has_no_broken_ones(tmp_path):
    site(
        tmp_path, index='<a href="other.html#there">x</a><a href="https://example.org/a">y</a>', other='<p id="there">'
    )
    assert broken(tmp_path) == []
    assert main([str(tmp_path)]) == 0


@pytest.mark.parametrize(
    "tag",
    [
        '<a href="gone.html">x</a>',
        '<a href="other.html#gone">x</a>',
        '<a href="#gone">x</a>',
        '<img src="gone.svg">',
        '<script src="gone.js"></script>',
    ],
)
def test_broken_address_is_reported_with_its_page(tag, tmp_path, capsys):
    site(tmp_path, index=tag, other='<p id="there">')
    assert main([str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("index.html: ")


def test_folder_without_a_site_is_refused(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "index.html" in capsys.readouterr().err


def test_index_lists_every_page_in_its_folders():
    """The sidebar of the site is generated from these lists."""
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"\]\(([^)#]+\.md)\)", index))
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert listed == {page for page in pages if page != "index.md" and not page.startswith("reference/ledger/")}
