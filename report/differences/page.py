"""The page docs/reference/differences.md."""

from collections.abc import Collection, Iterator, Sequence

from rebalance_proofs.report.claims.mark import from_docs
from rebalance_proofs.report.differences.rows import BROKER, BROKER_ROWS, CLIENT, CLIENT_ROWS, UNCHANGED, Difference
from rebalance_proofs.report.markdown_tables import table

ROWS: tuple[Difference, ...] = (*CLIENT_ROWS, *BROKER_ROWS)
"""All differences: those of the client, then those of the broker, each oldest release first."""
HEAD = """# Differences between releases

What changed between client and broker releases, and which claims depend on it. The sources of each release were
compared with those of the release before. `python -m rebalance_proofs.report.differences` prints this page.

*none* means that no claim depends on the change; the details below the tables give the reason. Differences of earlier
releases are in the [guarantees by client](guarantees.md) and in the
[known bugs](symptoms.md#known-bugs-by-version).
"""
TITLES = {CLIENT: "Client", BROKER: "Broker"}
ISSUES = "https://github.com/apache/rocketmq/issues"


def page(rows: Sequence[Difference] = ROWS) -> str:
    """Return docs/reference/differences.md as text."""
    return "\n".join(_lines(rows)).strip() + "\n"


def unknown_claims(rows: Sequence[Difference], known: Collection[str]) -> tuple[str, ...]:
    """Return the ids of claims that rows name and ``known`` does not contain."""
    return tuple(one for row in rows for one in row.claims if one not in known)


def _lines(rows: Sequence[Difference]) -> Iterator[str]:
    yield HEAD
    numbers = {id(row): number for number, row in enumerate(rows, 1)}
    for part, title in TITLES.items():
        own = [row for row in rows if row.part == part]
        yield f"## {title}\n"
        cells = [(row.release, row.place, row.change, _claims(row, numbers[id(row)])) for row in own]
        yield table(("release", "class, method", "change", "claims"), cells) + "\n"
        if part == BROKER:
            for release, classes in UNCHANGED:
                yield f"- Unchanged in {release}: {classes}."
            yield ""
    yield "## Details\n"
    for row in rows:
        yield from _detail(row, numbers[id(row)])


def _claims(row: Difference, number: int) -> str:
    told = "none" if not row.claims else f"{len(row.claims)}"
    return f"[{told}](#{_anchor(number)})"


def _anchor(number: int) -> str:
    return f"difference-{number}"


def _detail(row: Difference, number: int) -> Iterator[str]:
    issue = f" See [rocketmq#{row.issue}]({ISSUES}/{row.issue})." if row.issue else ""
    claims = ", ".join(f"[{one}]({from_docs(one)})" for one in row.claims)
    yield f'- <a id="{_anchor(number)}"></a>**{row.release}, {row.place}**: {row.change}. {row.why}{issue}'
    if claims:
        yield f"  - Claims: {claims}"
