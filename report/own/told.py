"""The answer in a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.report.english import count, duration, listing
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.grid import grid
from rebalance_proofs.report.own.proved import proved
from rebalance_proofs.spark_enum.own.here import AGAIN
from rebalance_proofs.spark_enum.own.repeated import REPEATS
from rebalance_proofs.spark_enum.own.rows import Found, Holds, Row
from rebalance_proofs.spark_enum.own.same import SAME_AS

DROPPED = "Where a premise does not hold (RocketMQ's own strategies break most of these too):"
AND_PROVED = "; of others only what is PROVED is known"
NO_PROOF = ": no proof for larger ones or other names"
ONCE = "only after other calls: this group alone, in a fresh process, does not show it"
BAD, GOOD = "bold red", "green"


class Line(NamedTuple):
    """A line of text, and its style in a terminal."""

    text: str = ""
    style: str = ""


def told(answer: Answer) -> Iterator[Line]:
    """The whole answer: what was checked, the rows, notes, smallest groups, proofs, the verdict."""
    yield Line(heading(answer))
    for title, rows in sections(answer.checked.rows):
        yield Line()
        yield Line(title)
        for row in rows:
            yield from _row(row, required=row.name in answer.required, once=row.name not in answer.checked.examples)
        if not answer.checked.one_group:
            for number, line in enumerate(tried(rows)):
                yield Line(f"  {'' if number else 'Tried':8}  {line}")
    yield from (Line(f"  {line}") for line in moved(answer))
    for line in notes(answer):
        yield Line()
        yield Line(line)
    for row in answer.failing:
        if row.smallest:
            yield from _picture(answer, row)
    for number, line in enumerate(proved(answer)):
        if not number:
            yield Line()
        yield Line(line)
    yield Line()
    yield Line(verdict(answer), BAD if answer.failing or answer.contradicted else GOOD)


def so_far(found: Found) -> Iterator[Line]:
    """Result of one space, while others are still being tried."""
    if found.space.world is AGREED or found.space.world is SAME_AS:
        broken = found.tried.broken
        least = min(broken.values(), default=None)
        named = next((name for name, wrong in broken.items() if wrong is least), "")
        said = f"{listing(sorted(broken))} broken, first {named}: {least.sentence}" if least else "nothing is broken"
        yield Line(f"{found.space.name}, {_extent(found)}: {said}")


def heading(answer: Answer) -> str:
    """The strategy, and how it was called."""
    hashed = f" (sha256 {answer.strategy.hash[:12]})" if answer.strategy.hash else ""
    where = f" on {answer.checked.spark}" if answer.checked.spark else ""
    return (
        f"{answer.strategy.name}{hashed}: {count(answer.checked.calls, 'call')} in a process of its own{where}, "
        f"{duration(answer.checked.seconds)}"
    )


def sections(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """(title, rows) of each section. Rows ``returns`` without a premise or after a change are shown only if broken."""
    parts = (
        ("All consumers see the same:", lambda row: row.world is AGREED),
        ("Compared:", lambda row: row.world is SAME_AS),
        (DROPPED, lambda row: row.world.dropped),
        ("When consumers or queues come and go:", lambda row: True),
    )
    left = list(rows)
    for title, belongs in parts:
        mine = [row for row in left if belongs(row)]
        left = [row for row in left if row not in mine]
        shown = [row for row in mine if row.world is AGREED or "returns" not in row.name or row.holds is Holds.NO]
        if shown:
            yield title, shown


def _row(row: Row, *, required: bool, once: bool) -> Iterator[Line]:
    mark = "BROKEN" if required and row.holds is Holds.NO else row.holds.value
    style = BAD if required and row.holds is not Holds.YES else ""
    yield Line(f"  {mark:8}  {row.name}: {sentence(row)}", style)
    if row.smallest:
        n, q = row.smallest.wrong.size
        size = f"{count(n, 'consumer')}, {count(q, 'queue')}"
        yield Line(f"            {size}: {row.smallest.wrong.sentence}  [{row.smallest.key}]", style)
        if once:
            yield Line(f"            {ONCE}", style)
    elif row.holds is not Holds.YES:
        yield Line(f"            {untold(row)}", style)


def sentence(row: Row) -> str:
    """The row's guarantee, with the dropped premise unless the guarantee names it itself."""
    spoken = not row.world.dropped or row.name.startswith(f"{UNREAD.name}.")
    return row.sentence if spoken else f"{row.sentence}, even if {row.world.otherwise}"


def untold(row: Row) -> str:
    """Why it is not known whether the row holds."""
    if not row.found:
        return "it was not asked again: some call hung, ended its process or took too much memory"
    expected = count(sum(one.expected for one in row.found), "group")
    if row.holds is Holds.UNTRIED:
        names = listing(one.space.naming.name for one in row.found if not one.tried.groups)
        why = "there was no time for one" if all(one.expected for one in row.found) else "there is none in these bounds"
        return f"looked at in {row.groups:,} of {expected}, in none with names {names}: {why}"
    unjudged = sum(one.tried.unjudged for one in row.found)
    cut = sum(one.expected - one.tried.groups for one in row.found if one.cut)
    given_up = sum(one.expected - one.tried.groups for one in row.found if not one.cut)
    parts = (
        (unjudged, "calls gave no list"),
        (given_up, "no call was made, as too many before gave no list or all else was known to be broken"),
        (cut, "there was no time (--seconds)"),
    )
    why = "; ".join(f"in {number:,} {reason}" for number, reason in parts if number)
    return f"looked at in {row.groups:,} of {expected}: {why}"


def tried(rows: Sequence[Row]) -> Iterator[str]:
    """Groups that were tried; spaces with equal bounds share a line: ``all 4,096 groups up to q, c = 64 with ids c0,
    ...``
    """
    spaces = {one.space.name: one for row in rows for one in row.found if row.name != REPEATS}
    by_world: dict[str, list[Found]] = {}
    for one in spaces.values():
        by_world.setdefault(one.space.world.name, []).append(one)
    for world, found in by_world.items():
        if world in (AGREED.name, SAME_AS.name):
            for one in found:
                yield f"{_extent(one)} with {one.space.naming.sentence}"
        else:
            yield f"{world} {_each(found)}"
    for row in rows:
        if row.name == REPEATS and row.found:
            yield f"repeats: asked again in {_each(row.found, f'{AGAIN:g} s for asking again')}"


def _each(found: Sequence[Found], time: str = "--seconds") -> str:
    return listing(f"{_extent(one, time)} ({one.space.naming.name})" for one in found)


def _extent(one: Found, time: str = "--seconds") -> str:
    n, q = one.space.bound
    size = f"q, c = {q}" if n == q else f"q = {q}, c = {n}"
    groups = one.tried.groups
    if groups == one.expected:
        return f"all {count(groups, 'group')} up to {size}"
    why = f", and no more, because its time was up ({time})" if one.cut else ""
    return f"the {groups:,} smallest of {count(one.expected, 'group')} up to {size}{why}"


def moved(answer: Answer) -> Iterator[str]:
    """The average cost of joins."""
    found = answer.checked.movement
    if found.queues and not answer.checked.one_group:
        share, needed, avg = (100 * part / found.queues for part in (found.changed, found.needed, found.by_avg))
        yield (
            f"Of all joins that were tried: {share:.0f}% of the queues change hands (under AVG {avg:.0f}%; "
            f"sizes that differ by at most one need {needed:.0f}%)."
        )


def notes(answer: Answer) -> Iterator[str]:
    """Remarks that belong to no guarantee: printed output, and checks that were given up."""
    if answer.checked.printed:
        lines = " / ".join(answer.checked.printed.lines)
        yield f"It prints, first in {called(answer.checked.printed.call)}: {lines}"
    if answer.checked.gave_up and not answer.checked.one_group:
        yield (
            "It had to be started anew so often (it hangs, ends its process, or takes too much memory) that the rest "
            "was not tried."
        )


def called(call: Call) -> str:
    """A call in a few words: whose it is, and the lengths of its lists."""
    return f"the call of {call.current_cid} with {count(len(call.mq_all), 'queue')}, {count(len(call.cid_all), 'id')}"


def _picture(answer: Answer, row: Row) -> Iterator[Line]:
    yield Line()
    yield Line(f"{row.name}: {sentence(row)}", BAD)
    example = answer.checked.examples.get(row.name)
    if not example:
        yield Line(f"  {ONCE}")
    elif row.smallest:
        for line in grid(example):
            yield Line(f"  {line}")
        names = row.smallest.space.naming
        yield Line(f"  with {names.sentence}")
        yield Line(f"  reproduce: {answer.reproduce(row)}")


def verdict(answer: Answer) -> str:
    """The last line."""
    if answer.contradicted:
        return f"DISAGREE: {', '.join(answer.contradicted)}"
    if answer.failing:
        broken = [row.name for row in answer.failing if row.holds is Holds.NO]
        untold = [row.name for row in answer.failing if row.holds is Holds.UNTOLD]
        untried = [row.name for row in answer.failing if row.holds is Holds.UNTRIED]
        failing = (("BROKEN", broken), ("not told", untold), ("not tried", untried))
        return "; ".join(f"{title}: {', '.join(names)}" for title, names in failing if names)
    required = [row for row in answer.checked.rows if row.name in answer.required]
    if answer.checked.one_group:
        return f"OK: {_hold(required)} in this group"
    again = [row for row in required if row.name == REPEATS]
    others = [row for row in required if row.name != REPEATS]
    parts = [f"{_hold(others)} in all groups that were tried"] if others else []
    parts += [f"{_hold([row])} in {_asked_again(row)}" for row in again]
    proved = any(proof.proved for proof in answer.proofs)
    return f"OK: {', '.join(parts)}{AND_PROVED if proved else NO_PROOF}"


def _hold(rows: Sequence[Row]) -> str:
    return f"{listing(row.name for row in rows)} {'hold' if len(rows) > 1 else 'holds'}"


def _asked_again(row: Row) -> str:
    """The groups in which calls were repeated, which are fewer than those tried."""
    n, q = (max(one.space.bound[place] for one in row.found) for place in (0, 1))
    size = f"q, c = {q}" if n == q else f"q = {q}, c = {n}"
    return f"the {count(row.groups, 'group')} (none beyond {size}) in which it was asked again"
