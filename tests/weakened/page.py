"""``python -m tests.weakened.page``: write docs/reference/weakenings.md to stdout, from what is pinned."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from tests.pins.pin import FOLDER
from tests.weakened.decided import pin
from tests.weakened.formulas import BY_NAME, SORTS

JUDGED = FOLDER / "weakened.json"
"""Machine -> formula -> what notices its variants -> how many."""
HEAD = """\
# Weakenings

`python -m tests.weakened` changes the formulas that a page declares, one at a time, and asks what notices the change.
The formulas are bad states, ghosts, and assumptions about actions, time and limits. A change drops a conjunct or a
disjunct, or moves a comparison or a number by one. `make docs` writes this page.

## Pinned states

Each formula has pinned states that tell it apart from all its changes
([test](../../tests/weakened/test_decided.py)). A solver proves that the remaining changes are *equal* to the formula
in every well-formed state. *Literals* counts further changes: a part is restricted or widened by a flag. For an
assumption, they include pairs of flags, and of a flag and a number that is 0 or not.

The page of offsets adds the ghost `taken` to all actions with one function. The changes of that function count once, as
the action `every`. The update of each single action has pinned states only. Flags that a rebalance sets are unknowns
`then_...`: tests compare them with the client's code. An assumption that excludes nothing for an action is no formula.
"""
NOTICED = """\
## Proofs and shortest runs

How many of these changes does another check notice? A proof fails, the shortest run of a refuted claim or of a mutant
changes, or only a pinned state shows the change. No check but pinned states is asked about limits, and no run about
ghosts of offsets and ordered. `python -m tests.weakened --write` writes these numbers.
"""
WITHOUT = """\
## Claims that hold without a part

Three guarantees stay proved if their bad states lose a conjunct. A test proves that for each of their claims.

- `registry`, `listed`, without `others`: the claim is about consumer lists, and a group without other members has none.
  The proof shows more than the sentence.
- `offsets`, `one-batch`, without `present`: `owed` is a flag of a process queue, so it is false without one.
- `pulls`, `one-request`, without `present`: without a process queue, all its counts are 0.
"""
EQUAL = """\
## Equal changes

Each line has the formula and the reason: *other parts decide* its value in every state, or the change matters only in
states that are not well-formed, or where the action is impossible. The number before the colon is the place of the
changed part in its formula.
"""


def page() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *_pinned(), NOTICED, *_noticed(), WITHOUT, EQUAL, *_equal(), ""])


def _sort(formula: str) -> str:
    return formula.split(" ")[1]


def _pinned() -> Iterator[str]:
    yield "| machine | formulas of | formulas | changes | equal | literals | equal literals |"
    yield "|---|---|---:|---:|---:|---:|---:|"
    total = Counter[str]()
    for name, of in pin().items():
        for sort, words in SORTS.items():
            some = [one for formula, one in of["formulas"].items() if _sort(formula) == sort]
            if some:
                counts = _counts(some)
                total.update(counts)
                yield f"| {name} | {words} | {' | '.join(f'{one:,}' for one in counts.values())} |"
    yield f"| all | | {' | '.join(f'{one:,}' for one in total.values())} |\n"
    yield f"Equal are {total['same'] / total['dropped']:.1%} of these changes.\n"
    for name, of in pin().items():
        if of["left"]:
            yield f"Not pinned yet: {len(of['left'])} formulas of {name}.\n"


def _counts(some: list[Mapping[str, Any]]) -> dict[str, int]:
    return {
        "formulas": len(some),
        "dropped": sum(one["dropped"] for one in some),
        "same": sum(len(one["same"]) for one in some),
        "added": sum(one["added"] for one in some),
        "same added": sum(one["same added"] for one in some),
    }


def _noticed() -> Iterator[str]:
    from tests.weakened.judged import MUTANT, NOTHING, PROOF, RUN

    yield "| machine | formulas of | a proof | a shortest run | a mutant's run | pinned states alone |"
    yield "|---|---|---:|---:|---:|---:|"
    found: Mapping[str, Mapping[str, Mapping[str, int]]] = json.loads(JUDGED.read_text(encoding="utf-8"))
    total = Counter[str]()
    for name, formulas in found.items():
        for sort, words in SORTS.items():
            by = Counter[str]()
            for formula, of in formulas.items():
                if _sort(formula) == sort:
                    by.update(of)
            if by:
                total.update(by)
                yield f"| {name} | {words} | {' | '.join(f'{by[one]:,}' for one in (PROOF, RUN, MUTANT, NOTHING))} |"
    if total:
        yield f"| all | | {' | '.join(f'{total[one]:,}' for one in (PROOF, RUN, MUTANT, NOTHING))} |"
    if left := [name for name in BY_NAME if name not in found]:
        yield f"\nNot judged yet: {', '.join(left)}."
    yield ""


def _equal() -> Iterator[str]:
    for name, of in pin().items():
        told = {formula: one["same"] for formula, one in of["formulas"].items() if one["same"]}
        if told:
            yield f"### {name}\n"
            for formula, same in told.items():
                for reason in dict.fromkeys(same.values()):
                    some = ", ".join(f"`{one}`" for one, why in same.items() if why == reason)
                    yield f"- {formula}, {reason}: {some}"
            yield ""


if __name__ == "__main__":
    print(page(), end="")
