"""Sphinx configuration of the documentation site (`make site`).

Sphinx with MyST reads the Markdown pages as they are, so they stay readable on a code host. Furo has a search that
works without a server, a dark theme, and one column on a phone.
"""

import re
from pathlib import Path

project = "rebalance-proofs"
author = "The rebalance-proofs authors"
copyright = "The rebalance-proofs authors, Apache-2.0"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}

myst_heading_anchors = 6
# Anchors of claims are HTML ids, which MyST does not know. tests/docs/site.py checks every link of the built site.
suppress_warnings = ["myst.xref_missing"]

html_theme = "furo"
html_title = "rebalance-proofs"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
highlight_language = "text"

SECTION = re.compile(r"^## (.+?)(?::.*)?$")
ENTRY = re.compile(r"\]\(([^)#]+)\.md\)")
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)#]+)\)")


def navigation(index):
    """Return a hidden table of contents for each section of the index page. Sphinx builds the sidebar from them."""
    parts = []
    for line in index.splitlines():
        if heading := SECTION.match(line):
            parts.append([f"```{{toctree}}\n:hidden:\n:caption: {heading[1]}\n"])
        elif parts:
            parts[-1].extend(ENTRY.findall(line))
    return "".join("\n" + "\n".join(part) + "\n```\n" for part in parts)


def without_folders(page, text):
    """Return a page's text without links to folders of the repository, for which the site has no page."""
    return LINK.sub(lambda link: link[1] if (page.parent / link[2]).is_dir() else link[0], text)


def prepare(app, name, source):
    """Add the sidebar to the index page, and the pages of each kind of claims to the ledger."""
    source[0] = without_folders(Path(app.env.doc2path(name)), source[0])
    if name == "index":
        source[0] += navigation(source[0])
    if any((Path(app.srcdir) / name).glob("*.md")):
        source[0] += f"\n```{{toctree}}\n:hidden:\n:glob:\n\n{name.rpartition('/')[2]}/*\n```\n"


def setup(app):
    """Register the hook ``prepare``. Sphinx calls this function."""
    app.connect("source-read", prepare)
