"""``python -m tests.docs.site DIR``: check that every internal link and anchor of a finished site exists."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ADDRESSES = {"a": "href", "img": "src", "link": "href", "script": "src", "object": "data"}


class _Page(HTMLParser):
    """The ids and the addresses of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids |= {value for name in ("id", "name") if (value := found.get(name))}
        if address := found.get(ADDRESSES.get(tag, "")):
            self.addresses.append(address)


def broken(site: Path) -> list[str]:
    """Return ``PAGE: ADDRESS`` for each address within the site that leads nowhere."""
    pages = {path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        for address in page.addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            known = pages[target].ids if target in pages else {anchor}
            if not target.is_file() or (anchor and anchor not in known):
                wrong.append(f"{path.relative_to(site.resolve())}: {address}")
    return wrong


def main(arguments: list[str]) -> int:
    """Print each broken address. Return 1 if there is one, 2 if the folder holds no site."""
    site = Path(*arguments)
    if len(arguments) != 1 or not (site / "index.html").is_file():
        print("usage: python -m tests.docs.site DIR, where DIR has an index.html", file=sys.stderr)
        return 2
    wrong = broken(site)
    print(*wrong, f"{len(wrong)} broken addresses in {site}", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
