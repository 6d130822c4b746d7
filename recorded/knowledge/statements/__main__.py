"""Compare the inventory of log statements with a source tree, such as your fork of RocketMQ.

Usage: ``python -m rebalance_proofs.recorded.knowledge.statements TREE [--release VERSION] [--add]``. TREE is a folder,
or a jar, zip or tar file with sources. The exit status is 1 if a statement differs, and 2 for a bad tree.
"""

import argparse
import sys
from pathlib import Path

from rebalance_proofs.recorded.knowledge.statements.compare import BadTree, compared, files, told, version
from rebalance_proofs.recorded.knowledge.statements.inventory import FOLDER, INVENTORIES, added, inventory, written

EPILOG = """
The version is that of the file's name, of pom.xml or of package.json. A tree without one is compared with the release
that differs least.

Each difference is a line; the exit status is then 1:

  not in the inventory: client/impl/consumer/RebalanceImpl.java:469: warn: no lock of {} for {}
  not in the tree: RebalanceImpl: warn: doRebalance, {}, add a new mq failed, {}, because lock failed

`rebalance why` and `rebalance audit` do not know the first line, and find the second one in no log of that fork.

After --add, write `line` or `irrelevant` to each new statement in the TOML files, and run
`python -m rebalance_proofs.recorded.knowledge`.
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command, and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m rebalance_proofs.recorded.knowledge.statements",
        description="Compare the inventory of log statements with a source tree of a RocketMQ client or broker.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tree", type=Path, metavar="TREE", help="a folder, or a jar, zip or tar file with sources")
    parser.add_argument("--release", default="", metavar="VERSION", help="version of the tree, if it does not name one")
    parser.add_argument("--add", action="store_true", help="add the tree to the inventory as its newest release")
    given = parser.parse_args(arguments)
    try:
        if given.add:
            return _add(given.tree, given.release or version(given.tree))
        found = compared(given.tree, given.release)
    except BadTree as error:
        print(f"{given.tree}: {error}", file=sys.stderr)
        return 2
    for one in found:
        print(*told(one), sep="\n")
    return int(any(one.differ for one in found))


def _add(tree: Path, release: str) -> int:
    """Add a release to the inventories that cover it; a maintainer classifies the statements that are new."""
    if not release:
        raise BadTree("it names no version: add --release VERSION")
    sources = [*files(tree)]
    for name in INVENTORIES:
        before = inventory(name)
        if any(before.covers(path) for path, _ in sources):
            after = added(before, release, sources)
            (FOLDER / f"{name}.toml").write_text(written(name, after), encoding="utf-8")
            new = [one for one in after.statements if not one.line and not one.irrelevant]
            print(f"{name}.toml: {len(new)} new statements; write `line` or `irrelevant` to each")
    return 0


if __name__ == "__main__":
    sys.exit(main())
