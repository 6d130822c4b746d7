"""``python -m tests.faults.page``: write docs/reference/faults.md to stdout."""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from tests.faults.anchors import ROOT, located
from tests.faults.beliefs import BELIEFS, WITHOUT
from tests.faults.fault import Fault
from tests.faults.generated.sample import PARTS
from tests.faults.tables import FAULTS
from tests.faults.unnoticed import UNNOTICED

NOTICED: Mapping[str, Fault] = {fault.name: fault for faults in FAULTS.values() for fault in faults}
OPEN: Mapping[str, Fault] = {fault.name: fault for fault in UNNOTICED}
SAMPLES = ROOT / "tests" / "faults" / "generated" / "samples.json"
TRUST = "../explanation/trust.md"
HEAD = """\
# Faults

Slow tests put each fault below into the checker's own source ([how](../../tests/faults)). The command or test in the
last column then fails and reports what went wrong. Without the fault it is green. Nothing notices a fault that is
marked *nothing*.

The headings are the beliefs of [What you have to trust](../explanation/trust.md).
`make docs` writes this page.
"""
GENERATED = """\
## Generated faults

`make faults` changes the checker's source in places that a seed draws, in equal numbers in four folders
([how](../../tests/faults/generated)). It requires that tests notice 95 % of the changes that matter. Changes without an
effect are [listed with reasons](../../tests/faults/generated/equivalent.py). Each seed counts once, because missed
faults get tests afterwards. An empty cell was not recorded. Ranges are 95 % confidence intervals. The budget is the
test time for each fault; *quick* adds a quick run of the claims concerned.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_beliefs(), GENERATED, *_samples(), ""])


def anchor(heading: str) -> str:
    """The anchor of a heading on GitHub."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _beliefs() -> Iterator[str]:
    for belief, names in BELIEFS.items():
        yield f"## [{belief}]({TRUST}#{anchor(belief)})\n"
        yield "| fault | where | noticed by |"
        yield "|---|---|---|"
        yield from (f"| `{name}` | {_where(name)} | {_noticed_by(name)} |" for name in names)
        yield ""
    yield "## Beliefs without a fault\n"
    yield from (f"- [{belief}]({TRUST}#{anchor(belief)}). {reason}" for belief, reason in WITHOUT.items())
    yield ""


def _where(name: str) -> str:
    files = dict.fromkeys(located(change.symbol, change.old).file for change in (NOTICED | OPEN)[name].changes)
    return ", ".join(f"[{file}](../../{file})" for file in files)


def _noticed_by(name: str) -> str:
    if name in OPEN:
        return "nothing"
    command = NOTICED[name].command
    if command.startswith("pytest "):
        file, test = command.removeprefix("pytest ").split("::", 1)
        return f"[`{test.partition('[')[0]}`](../../{file})"
    return f"`{command.replace(' --seed 1', '')}`"


def _samples() -> Iterator[str]:
    yield f"| date | seed | tried | no effect | noticed | {' | '.join(PARTS)} | budget |"
    yield f"|{'---|' * (6 + len(PARTS))}"
    yield from map(_sample, json.loads(SAMPLES.read_text(encoding="utf-8"))["samples"])


def _sample(one: Mapping[str, Any]) -> str:
    share = f"{one['noticed']} of {one['counted']}, {100 * one['noticed'] / one['counted']:.0f} %"
    if "interval" in one:
        share += " ({} to {})".format(*one["interval"])
    parts = ["{} of {}".format(*one["parts"][part]) if part in one["parts"] else "" for part in PARTS]
    without = "" if one["equivalent"] is None else one["equivalent"]
    cells = (one["date"], one["seed"], one["tried"], without, share, *parts, one["budget"])
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    sys.stdout.write(page())
