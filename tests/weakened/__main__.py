"""The slow job, ``python -m tests.weakened``: which check notices a changed formula of a page.

It judges the variants of every formula. ``python -m tests.pins decided`` has pinned which of them equal their formula.
An interrupted run goes on where it ended, and only changed formulas are judged again. ``--write`` pins the result,
from which the page is made.
"""

import argparse
import json
import sys
from collections.abc import Sequence

from tests.weakened.decided import pin
from tests.weakened.formulas import BY_NAME
from tests.weakened.judged import NOTHING, judged
from tests.weakened.page import JUDGED


def main(words: Sequence[str] | None = None) -> int:
    """Run the job for the named machines, or for all."""
    parser = argparse.ArgumentParser(prog="python -m tests.weakened", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="MACHINE", help=f"default: all of {', '.join(BY_NAME)}")
    parser.add_argument("--write", action="store_true", help="pin what notices the variants")
    options = parser.parse_args(words)
    for name in options.names:
        if name not in BY_NAME:
            parser.error(f"no machine is called {name!r}; names are {', '.join(BY_NAME)}")
    found = json.loads(JUDGED.read_text(encoding="utf-8")) if JUDGED.exists() else {}
    for name in options.names or BY_NAME:
        found[name] = {}
        for formula, by in judged(name, {one: of["same"] for one, of in pin()[name]["formulas"].items()}):
            found[name][formula] = by
            print(f"{name}: {formula}: {sum(by.values())} variants, {by.get(NOTHING, 0)} by {NOTHING}", flush=True)
        if options.write:
            every = {name: found[name] for name in BY_NAME if name in found}
            JUDGED.write_text(json.dumps(every, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
