"""Every link in the documentation resolves."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)\s]+)\)")
NAMED = re.compile(r"\[`?([\w./]+\.py)`?\]\(([^)#\s]+)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def links(page: Path) -> list[str]:
    """The targets of a page's links, those in code left out."""
    text = re.sub(r"(?s)```.*?```", "", page.read_text(encoding="utf-8"))
    return LINK.findall(re.sub(r"(?m)^ {4}.*$", "", text))


def anchors(page: Path) -> set[str]:
    """The anchors that a page's headings have on GitHub, and those that it names itself."""
    headings = HEADING.findall(page.read_text(encoding="utf-8"))
    named = re.findall(r'<a id="([^"]+)">', page.read_text(encoding="utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings} | set(named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_resolves(page: Path):
    broken = []
    for target in links(page):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        if not file.exists() or (anchor and anchor not in anchors(file)):
            broken.append(target)
    assert not broken


def misnamed(text: str) -> list[str]:
    """The links whose text names another file than their target."""
    return [match[0] for match in NAMED.finditer(text) if not f"/{match[2]}".endswith(f"/{match[1]}")]


def test_links_name_the_file_that_they_lead_to():
    """A file can be renamed, and its links with it, without their texts."""
    assert misnamed("[old.py](../../model/new.py), [new.py](../../model/new.py)") == ["[old.py](../../model/new.py"]
    assert [one for page in PAGES for one in misnamed(page.read_text(encoding="utf-8"))] == []


def pages_linked(page: Path) -> set[Path]:
    """The pages of this project that a page links to."""
    return {(page.parent / target.partition("#")[0]).resolve() for target in links(page)} & set(PAGES)


def test_every_page_is_reachable_from_the_readme():
    found = {ROOT / "README.md"}
    while new := {linked for page in found for linked in pages_linked(page)} - found:
        found |= new
    assert {page for page in PAGES if (ROOT / "docs") in page.parents} <= found


def test_link_is_parsed():
    assert "../reference/commands.md" in links(ROOT / "docs" / "tutorial" / "first-steps.md")
