"""The answer in a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.naming import YOURS
from rebalance_proofs.model.worlds.agreed import AGREED
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.report.english import count, duration, listing
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.depends import depends
from rebalance_proofs.report.own.grid import grid
from rebalance_proofs.report.own.proved import proved
from rebalance_proofs.spark_enum.own.differs import Why
from rebalance_proofs.spark_enum.own.here import AGAIN
from rebalance_proofs.spark_enum.own.repeated import REPEATS
from rebalance_proofs.spark_enum.own.rows import ALWAYS, Found, Holds, Row
from rebalance_proofs.spark_enum.own.same import SAME_AS

DROPPED = "Where a premise does not hold (RocketMQ's own strategies break most of these too):"
AND_PROVED = "; of others only what is PROVED is known"
NO_PROOF = ": no proof for larger ones or other names"
REQUIRED = f"Required ({listing(ALWAYS)} are, always):"
INFORMATION = "For information, where all consumers see the same:"
ONCE = "only after other calls: this group alone, in a fresh process, does not show it"
SOMETIMES = (
    "not each time: this group alone, in a fresh process, did not show it, since answers differ from time to time"
)
ORDER = (Holds.NO, Holds.UNTOLD, Holds.UNTRIED, Holds.YES)
NAMELESS = ", and none of the names that were tried made a difference"
BAD, GOOD = "bold red", "green"


class Line(NamedTuple):
    """A line of text, and its style in a terminal."""

    text: str = ""
    style: str = ""


def told(answer: Answer) -> Iterator[Line]:
    """The whole answer: the verdict, what is required and broken in pictures, all rows, what was tried, proofs."""
    yield Line(verdict(answer), BAD if answer.failing or answer.contradicted else GOOD)
    yield Line(heading(answer))
    for line in notes(answer):
        yield Line()
        yield Line(line)
    for row in answer.failing:
        if row.smallest:
            yield from _picture(answer, row)
    for title, rows in sections(answer):
        yield Line()
        yield Line(title)
        for row in rows:
            yield from _row(answer, row)
    yield from (Line(f"  {line}") for line in moved(answer))
    if not answer.checked.one_group:
        yield Line()
        for number, line in enumerate(tried(answer.checked.rows)):
            yield Line(f"{'' if number else 'Tried':8}  {line}")
    for number, line in enumerate(proved(answer)):
        if not number:
            yield Line()
        yield Line(line)


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


def sections(answer: Answer) -> Iterator[tuple[str, list[Row]]]:
    """(title, rows) of each section: what is required, first what is not known to hold; then what is for information.

    Rows ``returns`` without a premise or after a change are shown only if broken.
    """
    required = [row for row in answer.checked.rows if row.name in answer.required]
    yield REQUIRED, sorted(required, key=lambda row: ORDER.index(row.holds))
    parts = (
        (INFORMATION, lambda row: row.world is AGREED),
        ("Compared:", lambda row: row.world is SAME_AS),
        (DROPPED, lambda row: row.world.dropped),
        ("When consumers or queues come and go:", lambda row: True),
    )
    left = [row for row in answer.checked.rows if row not in required]
    for title, belongs in parts:
        mine = [row for row in left if belongs(row)]
        left = [row for row in left if row not in mine]
        shown = [row for row in mine if row.world is AGREED or "returns" not in row.name or row.holds is Holds.NO]
        if shown:
            yield title, shown


def mark(answer: Answer, row: Row) -> str:
    """What is known of the row in a word or two: BROKEN if it is required."""
    if row.holds is Holds.NO:
        return "BROKEN" if row.name in answer.required else "not so"
    return str(row.holds.value)


def once(answer: Answer, row: Row) -> str:
    """Why the row's group, asked about alone, does not show what was found; empty if it does."""
    if not row.smallest or row.name in answer.checked.examples:
        return ""
    return ONCE if answer.checked.why in (None, Why.CALLS) else SOMETIMES


def _row(answer: Answer, row: Row) -> Iterator[Line]:
    required = row.name in answer.required
    style = BAD if required and row.holds is not Holds.YES else ""
    yield Line(f"  {mark(answer, row):8}  {row.name}: {sentence(row)}", style)
    if row.smallest:
        n, q = row.smallest.wrong.size
        size = f"{count(n, 'consumer')}, {count(q, 'queue')}"
        yield Line(f"            {size}: {row.smallest.wrong.sentence}  [{row.smallest.key}]", style)
        if apart := once(answer, row):
            yield Line(f"            {apart}", style)
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
    """Remarks that belong to no guarantee: printed output, checks that were given up, names that mean nothing."""
    if said := depends(answer):
        yield f"Why it does not repeat itself: {said}."
    if answer.checked.printed:
        lines = " / ".join(answer.checked.printed.lines)
        yield f"It prints, first in {called(answer.checked.printed.call)}: {lines}"
    if answer.checked.gave_up and not answer.checked.one_group:
        yield (
            "It had to be started anew so often (it hangs, ends its process, or takes too much memory) that the rest "
            "was not tried."
        )
    if nameless(answer):
        yield (
            "With all kinds of names that were tried it takes the same positions: either it does not go by names, or "
            "none of these means anything to it. If yours mean something (a weight, a zone, a room), nothing that is "
            "said here is said of that: --ids FILE, --brokers FILE and --queues FILE try names of your own."
            if not _yours(answer)
            else "With all kinds of names that were tried, your own too, it takes the same positions."
        )


def nameless(answer: Answer) -> bool:
    """Whether no kind of names that was tried makes a difference to the strategy."""
    return answer.checked.by_names == () and answer.checked.why is None


def _yours(answer: Answer) -> bool:
    return any(one.space.naming.name == YOURS for row in answer.checked.rows for one in row.found)


def called(call: Call) -> str:
    """A call in a few words: whose it is, and the lengths of its lists."""
    return f"the call of {call.current_cid} with {count(len(call.mq_all), 'queue')}, {count(len(call.cid_all), 'id')}"


def _picture(answer: Answer, row: Row) -> Iterator[Line]:
    yield Line()
    yield Line(f"{row.name}: {sentence(row)}", BAD)
    example = answer.checked.examples.get(row.name)
    if not example:
        yield Line(f"  {once(answer, row)}")
    elif row.smallest:
        for line in grid(example):
            yield Line(f"  {line}")
        names = row.smallest.space.naming
        yield Line(f"  with {names.sentence}")
        yield Line(f"  reproduce: {answer.reproduce(row)}")


def verdict(answer: Answer) -> str:
    """The first line."""
    if answer.contradicted:
        return f"DISAGREE: {', '.join(answer.contradicted)}"
    if answer.failing:
        broken = [row.name for row in answer.failing if row.holds is Holds.NO]
        untold = [row.name for row in answer.failing if row.holds is Holds.UNTOLD]
        untried = [row.name for row in answer.failing if row.holds is Holds.UNTRIED]
        failing = (("BROKEN", broken), ("not judged", untold), ("not tried", untried))
        return "; ".join(f"{title}: {', '.join(names)}" for title, names in failing if names)
    required = [row for row in answer.checked.rows if row.name in answer.required]
    if answer.checked.one_group:
        return f"OK: {_hold(required)} in this group"
    again = [row for row in required if row.name == REPEATS]
    others = [row for row in required if row.name != REPEATS]
    parts = [f"{_hold(others)} in all groups that were tried"] if others else []
    parts += [f"{_hold([row])} in {_asked_again(row)}" for row in again]
    proved = any(proof.proved for proof in answer.proofs)
    alike = nameless(answer) and not _yours(answer) and not proved
    return f"OK: {', '.join(parts)}{AND_PROVED if proved else NO_PROOF}{NAMELESS if alike else ''}"


def _hold(rows: Sequence[Row]) -> str:
    return f"{listing(row.name for row in rows)} {'hold' if len(rows) > 1 else 'holds'}"


def _asked_again(row: Row) -> str:
    """The groups in which calls were repeated, which are fewer than those tried."""
    n, q = (max(one.space.bound[place] for one in row.found) for place in (0, 1))
    size = f"q, c = {q}" if n == q else f"q = {q}, c = {n}"
    return f"the {count(row.groups, 'group')} (none beyond {size}) in which it was asked again"
