"""docs/reference/releases.md: ``python -m rebalance_proofs.report.released.page`` prints it."""

import sys
from collections.abc import Iterator, Sequence

from rebalance_proofs.model.machines.receiving import CLIENTS
from rebalance_proofs.model.releases import JAVA, LANGUAGES, LAST
from rebalance_proofs.model.sources import CHECKED, Source
from rebalance_proofs.report.markdown_tables import table as markdown
from rebalance_proofs.report.released.table import STEPS, STRATEGIES, Group, Row, newest, sdks, table
from rebalance_proofs.report.text.english import count

HEAD = """\
# Releases

This page lists the releases of RocketMQ and of its other clients. For each release it shows which source was read,
which code was compared with the model, and which groups were recorded. `rebalance list --releases` prints the same
list. `python -m rebalance_proofs.report.released.page` generates this page.
"""
POLICY = f"""\
## Versions that were not read

All commands that take a client version answer as follows. If the version itself was not read, the answer names the
release that it uses. With `--json`, the field `remark` has that sentence.

| version | answer |
|---|---|
| a release that was read | that release |
| `5.2`, `5`, `4.9.x` | the newest read release of that line |
| newer than {LAST}, still 5.x | {LAST} |
| between two read releases | the newer read release before it |
| 4.x before {JAVA[0]} | {JAVA[0]}, with known differences |
| `5.3.3-SNAPSHOT`, builds of 5.3.3 | 5.3.3 |
| Go 2.x, ali-ons 3.x, C++ 2.x, Rust 1.x | the model of that client |
| gRPC clients such as `grpc-java-5.2.1` | only `list`, `settle` and `why`: their own claims and times |
| other major versions | refused, exit status 2 |

Forms such as `v5.3.3`, `V5_3_3`, `Java 5.3.3`, `rocketmq-client-5.3.3.jar` and `ali-ons 3.12.0` are accepted.
`settle` accepts Java versions and gRPC clients. `conform` and `explore` accept Java versions only; `explore` also
accepts `go`, for ordered groups.
"""
NOT_COMPARED = ("csharp", "cpp", "rust")
"""gRPC clients that were only read: they have no released package with the step, or none that runs here."""
COLUMNS = """\
- **client, broker**: the source that was read. An empty cell means that it was not read.
- **strategies**: calls of the release's own allocation strategies with the same result as the model.
- **steps**: rebalances of single clients with the same result as the model.
- **groups**: recorded scenarios that the model accepts, of all recorded scenarios with this release.
- **model**: releases with the same model of a rebalance. "as 5.3.3" means that 5.3.3 represents the release.
"""


def page(of: Sequence[Row] | None = None) -> str:
    """Return the page, by default for the files of this package."""
    return "\n".join(_page(table() if of is None else of)) + "\n"


def _page(of: Sequence[Row]) -> Iterator[str]:
    yield HEAD
    yield f"## Newest versions\n\nThese were the newest versions on {CHECKED}.\n"
    yield markdown(("client", "newest version", "named by"), newest())
    yield ""
    yield POLICY
    yield "## What was read, compared and recorded\n"
    yield COLUMNS
    for client, language in LANGUAGES.items():
        mine = [row for row in of if row.client == client]
        yield f"### {language}\n"
        if client == "java":
            yield "[Differences between releases](differences.md) lists what changed in client and broker.\n"
        if any(row.broker for row in mine):
            heads = ("release", "client", "broker", "strategies", "steps", "groups", "model")
            yield markdown(heads, (_with_broker(row) for row in mine))
        else:
            yield markdown(("version", "client", "strategies", "steps"), (_alone(row) for row in mine))
        yield ""
    yield from _grpc()
    yield from _origins(of)
    yield from _groups(of)


def _with_broker(row: Row) -> tuple[str, ...]:
    accepted = sum(one.accepted for one in row.recorded)
    groups = f"{accepted} of {len(row.recorded)}" if row.recorded else ""
    calls = (_calls(row, STRATEGIES), _calls(row, STEPS))
    return (_version(row), _link(row.read), _link(row.broker), *calls, groups, row.model)


def _alone(row: Row) -> tuple[str, ...]:
    return (_version(row), _link(row.read), _calls(row, STRATEGIES), _calls(row, STEPS))


def _version(row: Row) -> str:
    return row.name.partition(" ")[2]


def _link(read: Source | None) -> str:
    """Return a link with the kind of source as its text, such as ``tag``."""
    if read is None:
        return ""
    kind = read.where.partition(" ")[0]
    return f"[{kind}]({read.address})" if read.address else kind


def _calls(row: Row, what: str) -> str:
    calls, differ = row.calls(what)
    return f"{differ:,} of {calls:,} differ" if differ else f"{calls:,}" if calls else ""


def _grpc() -> Iterator[str]:
    """Yield the gRPC clients: which packages were compared, and the clients that were only read."""
    yield "## gRPC clients\n"
    yield "`rebalance conform --package NAME==VERSION` compares how a push consumer applies the broker's assignments"
    yield "(`receiving.*`). A sequence has two topics and three queues, and is compared after each step. All"
    yield "sequences of so many steps were compared, apart from those with a step that has no effect.\n"
    compared = [
        (f"`{one['name']}`", one["version"], f"{one['steps']}", f"{one['sequences']:,}", f"{one['differ']:,}")
        for one in sdks()
    ]
    left = [(one.rocketmq_name, "", "", "not compared", "") for one in CLIENTS if one.name in NOT_COMPARED]
    yield markdown(("package", "version", "steps", "sequences", "differ"), (*compared, *left))
    yield ""


def _origins(of: Sequence[Row]) -> Iterator[str]:
    yield "## Compared code\n"
    yield "Recorded results are [files of this package](../../recorded/vectors/README.md). `rebalance conform` compares"
    yield "them with the model again. `rebalance conform --java` compares a jar.\n"
    rows = [
        (row.name, one.what, one.origin, f"{one.calls:,}", f"{one.differ:,}", f"`{one.digest[:12]}`" * bool(one.digest))
        for row in of
        for one in row.compared
    ]
    yield markdown(("release", "kind", "code", "calls", "differ", "SHA-256 begins with"), rows)
    yield ""


def _groups(of: Sequence[Row]) -> Iterator[str]:
    every = list(dict.fromkeys(one for row in of for one in row.recorded))
    kept = sum(bool(one.shipped) for one in every)
    yield "## Recorded groups\n"
    known = f"Of {count(len(every), 'recorded group')}, {kept}"
    yield f"{known} are [part of this package](../../recorded/groups/README.md)."
    yield "`rebalance record SCENARIO --release VERSION` records others.\n"
    heads = ("scenario", "clients", "servers", "events", "model", "unexplained")
    yield markdown(heads, (_group(one) for one in every))
    wrong = [one for one in every if one.reason]
    if wrong:
        yield "\nReasons:\n"
        yield from (f"- {one.name}, {', '.join(one.clients)}: {one.reason}" for one in wrong)


def _group(one: Group) -> tuple[str, ...]:
    name = f"[{one.name}](../../recorded/groups/{one.shipped})" if one.shipped else one.name
    events = "" if one.events is None else f"{one.events:,}"
    verdict = "accepted" if one.accepted else "not accepted"
    problems = "" if one.unexplained is None else f"{one.unexplained:,}"
    return (name, ", ".join(one.clients), one.servers, events, verdict, problems)


if __name__ == "__main__":
    sys.stdout.write(page())
