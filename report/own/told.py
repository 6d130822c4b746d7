"""The answer of ``rebalance check`` as lines for a terminal."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rebalance_proofs.model.allocation.strategy import AllocationError
from rebalance_proofs.model.group import Consumer, Group
from rebalance_proofs.model.own.call import Call
from rebalance_proofs.model.own.names import DERIVED, YOURS
from rebalance_proofs.model.queues import positions_in
from rebalance_proofs.model.worlds.groups import AGREED
from rebalance_proofs.proofs.allocation.unread import UNREAD
from rebalance_proofs.report.own.answer import Answer
from rebalance_proofs.report.own.told_parts import depends, grid, placed, proved
from rebalance_proofs.report.text.english import bracketed, capitalized, count, duration, group_size, listing
from rebalance_proofs.spark_enum.own.here import AGAIN
from rebalance_proofs.spark_enum.own.history import HISTORY, HistorySpace
from rebalance_proofs.spark_enum.own.named import NamedSpace
from rebalance_proofs.spark_enum.own.repeated import REPEATS, Why
from rebalance_proofs.spark_enum.own.rows import ALWAYS, VARY, Found, Holds, Row, Smallest, needed
from rebalance_proofs.spark_enum.own.spaces import SAME_AS
from rebalance_proofs.spark_enum.own.tried import RETURNS

DROPPED = "If an assumption does not hold (RocketMQ's own strategies break most of these, too):"
AND_PROVED = "For other groups, only the PROVED guarantees hold."
NO_PROOF = "This is not a proof for larger groups or other names."
NO_PROOF_YOURS = "This is not a proof for larger groups."
REQUIRED = f"Required ({listing(ALWAYS)} always are):"
INFORMATION = "Not required, if all consumers see the same lists:"
ONCE = "only after other calls: a fresh process that checks this group alone does not reproduce it"
SOMETIMES = "not every time: a fresh process that checked this group alone did not reproduce it, since answers vary"
ORDER = (Holds.NO, Holds.UNTOLD, Holds.UNTRIED, Holds.YES)
NAMELESS = "None of the tried names made a difference."
WORDS = {Holds.YES: "holds", Holds.NO: "does not hold", Holds.UNTOLD: "not judged", Holds.UNTRIED: "not tried"}
"""Printed words for the result of a guarantee."""
BAD, GOOD = "bold red", "green"


class Line(NamedTuple):
    """A line of text with its terminal style."""

    text: str = ""
    style: str = ""


def told(answer: Answer, *, everything: bool = False) -> Iterator[Line]:
    """Yield the answer: verdict, broken guarantees with their smallest groups, other guarantees, proofs.

    ``everything``: with each guarantee on a line, and all tried groups.
    """
    yield Line(verdict(answer), BAD if answer.status else GOOD)
    yield from (Line(line) for line in extents(answer))
    yield Line(heading(answer))
    for line in notes(answer):
        yield Line()
        yield Line(line)
    pictured = [row for row in answer.failing if row.smallest]
    after = [row for row in pictured if once(answer, row)] if any(row.world is HISTORY for row in pictured) else []
    for row in pictured:
        if row not in after:
            yield from picture(answer, row)
    if after:
        yield Line()
        yield Line(f"Also broken after other calls in one process: {listing(row.name for row in after)}.", BAD)
    yield from _every(answer) if everything else _others(answer)
    for number, line in enumerate(proved(answer)):
        if not number:
            yield Line()
        yield Line(line)


def _others(answer: Answer) -> Iterator[Line]:
    """Yield lines on guarantees without a printed group: undecided ones with reasons, others in short."""
    undecided = [row for row in answer.failing if not row.smallest]
    if undecided:
        yield Line()
    for row in undecided:
        yield from _row(answer, row)
    holding = [row.name for row in answer.checked.rows if needed(row, answer.required) and row.holds is Holds.YES]
    rest = [row for row in answer.checked.rows if not needed(row, answer.required)]
    yield Line()
    if holding:
        yield Line(f"Required guarantees that hold: {', '.join(holding)}.")
    if rest:
        found = sum(row.holds is Holds.YES for row in rest)
        yield Line(f"Guarantees that are not required: {found} of {len(rest)} hold.")
    yield from (Line(line) for line in moved(answer))
    yield Line("`--all` lists every guarantee with its smallest example, and the tried groups.")


def _every(answer: Answer) -> Iterator[Line]:
    """Yield each guarantee with the smallest group that breaks it, and the tried groups."""
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


def so_far(found: Found) -> Iterator[Line]:
    """Yield the result of one space (a set of groups to try), while other spaces are still being tried."""
    if found.space.world is AGREED or found.space.world is SAME_AS:
        broken = found.tried.broken
        least = min(broken.values(), default=None)
        named = next((name for name, wrong in broken.items() if wrong is least), "")
        said = f"{listing(sorted(broken))} broken, first {named}: {least.sentence}" if least else "none is broken"
        yield Line(f"{found.space.name}, {_extent(found)}: {said}")


def extents(answer: Answer) -> Iterator[str]:
    """Yield a line for each set of given names: how many of its groups were tried."""
    if not answer.checked.one_group:
        for one in answer.checked.named:
            yield f"{capitalized(one.space.naming.sentence)}: {_extent(one)}."


def heading(answer: Answer) -> str:
    """Return a line about the strategy and its calls."""
    hashed = f" (sha256 {answer.strategy.hash[:12]})" if answer.strategy.hash else ""
    where = f" on {answer.checked.spark}" if answer.checked.spark else ""
    return (
        f"{answer.strategy.name}{hashed}: {count(answer.checked.calls, 'call')} in a separate process{where}, "
        f"{duration(answer.checked.seconds)}"
    )


def sections(answer: Answer) -> Iterator[tuple[str, list[Row]]]:
    """Yield (title, guarantees) of each section: required guarantees, broken ones first.

    Then others. The guarantee ``returns`` with a dropped assumption, or after a change, is included only if it is
    broken.
    """
    required = [row for row in answer.checked.rows if needed(row, answer.required)]
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
    """Return a guarantee's result in a word or two: BROKEN if it is required and does not hold."""
    if row.holds is Holds.NO:
        return "BROKEN" if row in answer.failing else WORDS[Holds.NO]
    return WORDS[row.holds]


def once(answer: Answer, row: Row) -> str:
    """Return why checking only the smallest group does not reproduce the failure.

    Empty if it does.
    """
    if not row.shown or row.name in answer.checked.examples:
        return ""
    return ONCE if answer.checked.why in (None, Why.CALLS) else SOMETIMES


def _row(answer: Answer, row: Row) -> Iterator[Line]:
    required = needed(row, answer.required)
    style = BAD if required and row.holds is not Holds.YES else ""
    yield Line(f"  {mark(answer, row):13}  {row.name}: {sentence(row)}", style)
    if row.smallest:
        n, q = row.smallest.wrong.size
        size = f"{count(n, 'consumer')}, {count(q, 'queue')}"
        yield Line(f"                 {size}: {row.smallest.wrong.sentence}  [{row.smallest.key}]", style)
        if apart := once(answer, row):
            yield Line(f"                 {apart}", style)
    elif row.holds is not Holds.YES:
        yield Line(f"                 {untold(row)}", style)
    if row.elsewhere:
        yield Line(f"                 {other_names(row)}")


def sentence(row: Row) -> str:
    """Return the guarantee's sentence, with the dropped assumption unless the sentence names it."""
    spoken = not row.world.dropped or row.name.startswith(f"{UNREAD.name}.")
    return row.sentence if spoken else f"{row.sentence}, even if {row.world.otherwise}"


def untold(row: Row) -> str:
    """Return why it is unknown whether the guarantee holds."""
    if not row.found:
        return "calls were not repeated: a call hung, ended its process or used too much memory"
    found = row.deciding
    expected = count(sum(one.expected for one in found), "group")
    if row.holds is Holds.UNTRIED:
        names = listing(one.space.naming.name for one in found if not one.tried.groups)
        why = "no time was left" if all(one.expected for one in found) else "none exists within these bounds"
        return f"checked in {row.groups:,} of {expected}, in none with names {names}: {why}"
    unjudged = sum(one.tried.unjudged for one in found)
    cut = sum(one.expected - one.tried.groups for one in found if one.cut)
    given_up = sum(one.expected - one.tried.groups for one in found if not one.cut)
    parts = (
        (unjudged, "a call returned no list"),
        (given_up, "no call was made: too many earlier calls returned no list, or all other guarantees were broken"),
        (cut, "no time was left (--seconds)"),
    )
    why = "; ".join(f"in {number:,} {reason}" for number, reason in parts if number)
    return f"checked in {row.groups:,} of {expected}: {why}"


def tried(rows: Sequence[Row]) -> Iterator[str]:
    """Yield lines about the tried groups: ``all 4,096 groups up to q, c = 64 with ids c0, ...``.

    Spaces with equal bounds share a line.
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
            yield f"repeats: calls repeated in {_each(row.found, f'{AGAIN:g} s for repeated calls')}"


def _each(found: Sequence[Found], time: str = "--seconds") -> str:
    return listing(f"{_extent(one, time)} ({one.space.naming.name})" for one in found)


def _extent(one: Found, time: str = "--seconds") -> str:
    groups = one.tried.groups
    if isinstance(one.space, NamedSpace):
        why = f", because its time was up ({time})" if one.cut else ""
        return f"{one.space.extent(groups, one.expected)}{why}"
    n, q = one.space.bound
    size = f"q, c = {q}" if n == q else f"q = {q}, c = {n}"
    if groups == one.expected:
        return f"all {count(groups, 'group')} up to {size}"
    why = f", because its time was up ({time})" if one.cut else ""
    return f"the {groups:,} smallest of {count(one.expected, 'group')} up to {size}{why}"


def moved(answer: Answer) -> Iterator[str]:
    """Yield a line about how many queues move on average when a consumer joins."""
    found = answer.checked.movement
    if found.queues and not answer.checked.one_group:
        share, needed, avg = (100 * part / found.queues for part in (found.changed, found.needed, found.by_avg))
        yield (
            f"In all tried joins, {share:.0f}% of the queues change owners (under AVG {avg:.0f}%; balanced shares need "
            f"{needed:.0f}%)."
        )


def notes(answer: Answer) -> Iterator[str]:
    """Yield remarks: output printed by the strategy, checks that were given up, influence of names."""
    if said := depends(answer):
        yield f"Its answers are not repeatable: {said}."
    for name in answer.withheld:
        yield f"It reads the variable {name}, which is set but not passed to it: --env {name} passes it."
    if answer.checked.printed:
        lines = " / ".join(answer.checked.printed.lines)
        yield f"It prints, first in {called(answer.checked.printed.call)}: {lines}"
    if answer.checked.alike:
        yield f"No result depends on {answer.checked.alike}: check its name, or whether the strategy reads it."
    if changed := answer.checked.changed:
        yield (
            f"It changes its arguments, first in {called(changed.call)}: it {changed.what}. RocketMQ's client passes "
            "copies, so this alone breaks nothing."
        )
    if answer.checked.null:
        yield (
            f"It returns null, first in {called(answer.checked.null)}. RocketMQ's client treats null as an empty list."
        )
    if answer.checked.gave_up and not answer.checked.one_group:
        yield (
            "It was restarted so often (it hangs, ends its process, or uses too much memory) that the other groups "
            "were not tried."
        )
    if answer.checked.rejected:
        one, *more = answer.checked.rejected
        others = f", and {count(len(more), 'similar id')}" if more else ""
        yield f"Not tried, because every call of {one.client_id} {one.what}: groups with that id{others}."
    if _always_fails(answer):
        yield " ".join(("In each tried group, a call fails.", *_missing_names(answer)))
    elif nameless(answer):
        yield (
            "It takes the same positions with all tried kinds of names. If your names have a meaning (a weight, a "
            "zone, a room), these results do not cover it: --ids FILE, --brokers FILE and --queues FILE try your names."
            if not _yours(answer)
            else "It takes the same positions with all tried kinds of names, including yours."
        )
    yield from elsewhere(answer)


def _missing_names(answer: Answer) -> Iterator[str]:
    """Yield the names that a failing strategy can read, and that the user has not given."""
    if not answer.consumer_group:
        yield "A strategy that reads the consumer group's name needs yours: --consumer-group NAME."
    if not _yours(answer):
        yield "A strategy that reads client ids or broker names needs --ids FILE and --brokers FILE."


def elsewhere(answer: Answer) -> Iterator[str]:
    """Yield notes on guarantees that only groups with other names than the user's break.

    Guarantees with the same smallest group share a note.
    """
    alike: dict[str, list[Row]] = {}
    for row in answer.elsewhere:
        if row.elsewhere:
            alike.setdefault(row.elsewhere.key, []).append(row)
    for rows in alike.values():
        smallest = rows[0].elsewhere
        assert smallest
        size = _size(smallest)
        again = once(answer, rows[0]) or f"reproduce: {answer.reproduce(rows[0])}"
        yield (
            f"With other names than yours, {_not_held(rows)}: {size}, with {smallest.space.naming.sentence}. "
            f"{capitalized(smallest.wrong.sentence)} This does not count for the verdict. {capitalized(again)}"
        )
    if any(row.elsewhere and row.elsewhere.space.naming.name == DERIVED for row in answer.elsewhere):
        yield "If your group can have such names, add them to your files: then they count."


def other_names(row: Row) -> str:
    """Return the smallest group with other names than the user's that breaks the guarantee; empty if none does."""
    if not row.elsewhere:
        return ""
    return f"not with other names: {_size(row.elsewhere)}: {row.elsewhere.wrong.sentence}  [{row.elsewhere.key}]"


def _size(smallest: Smallest) -> str:
    consumers, queues = smallest.wrong.size
    return group_size((consumers, queues))


def _not_held(rows: Sequence[Row]) -> str:
    return f"{listing(row.name for row in rows)} {'do' if len(rows) > 1 else 'does'} not hold"


def nameless(answer: Answer) -> bool:
    """Return whether the strategy takes the same positions with all tried kinds of names."""
    return answer.checked.by_names == () and answer.checked.why is None


def _always_fails(answer: Answer) -> bool:
    """Return whether a call fails in each tried group."""
    found = [one.tried for row in answer.checked.rows if row.name == RETURNS for one in row.found]
    ended = answer.checked.one_group or answer.checked.gave_up
    return not ended and all(one.refused == one.groups for one in found)


def _yours(answer: Answer) -> bool:
    return any(one.space.naming.name == YOURS for row in answer.checked.rows for one in row.found)


def called(call: Call) -> str:
    """Return a call of the strategy in a few words: its consumer, and the lengths of its lists."""
    return f"the call of {call.current_cid} with {count(len(call.mq_all), 'queue')}, {count(len(call.cid_all), 'id')}"


def picture(answer: Answer, row: Row) -> Iterator[Line]:
    """Yield a broken guarantee with its smallest group, and the command that reproduces it."""
    yield Line()
    yield Line(f"{row.name}: {sentence(row)}", BAD)
    example = answer.checked.examples.get(row.name)
    if row.smallest and isinstance(row.smallest.space, HistorySpace):
        for line in history(row.smallest.space):
            yield Line(f"  {line}")
    if not example and row.smallest:
        yield Line(f"  {row.smallest.wrong.sentence}")
        yield Line(f"  {once(answer, row)}")
    elif example and row.smallest:
        for line in grid(example):
            yield Line(f"  {line}")
        naming = row.smallest.space.naming
        where = f"; {placed(example.group.queues)}" if naming.name in (YOURS, DERIVED) else ""
        yield Line(f"  with {naming.sentence}{where}")
        yield Line(f"  reproduce: {answer.reproduce(row)}")
    if row.name in answer.checked.larger:
        smallest, example = answer.checked.larger[row.name]
        yield Line("  The same with more queues:")
        for line in grid(example):
            yield Line(f"  {line}")
        yield Line(f"  reproduce: {answer.reproduce(row, smallest)}")


def history(space: HistorySpace) -> Iterator[str]:
    """Yield a line for each step of a history: the group, and the queues of its members as positions."""
    assert space.history
    for number, group in enumerate(space.history.groups, 1):
        yield f"{number}. {count(len(group.consumers), 'consumer')}, {count(len(group.queues), 'queue')}: " + "; ".join(
            f"{consumer.client_id} {_share(group, consumer)}" for consumer in group.consumers
        )
    yield "Each consumer is a process of its own, which is called only in its own steps."


def _share(group: Group, consumer: Consumer) -> str:
    try:
        known = [queue for queue in consumer.share if queue in group.queues]
        others = len(consumer.share) - len(known)
        more = f" and {count(others, 'queue')} outside mqAll" if others else ""
        return f"gets {bracketed(positions_in(group.queues, known))}{more}"
    except AllocationError as error:
        return error.instead


def verdict(answer: Answer) -> str:
    """Return the first lines of the answer: the verdict, and what was checked."""
    if answer.contradicted:
        return f"DISAGREE: {', '.join(answer.contradicted)}"
    if answer.failing:
        broken = [row.name for row in answer.failing if row.holds is Holds.NO]
        untold = [row.name for row in answer.failing if row.holds is Holds.UNTOLD]
        untried = [row.name for row in answer.failing if row.holds is Holds.UNTRIED]
        failing = (("BROKEN", broken), ("not judged", untold), ("not tried", untried))
        return "; ".join(f"{title}: {', '.join(names)}" for title, names in failing if names)
    if answer.unfinished:
        (one,) = [one for one in answer.checked.named if one.space.naming.name == YOURS]
        return (
            f"NOT FINISHED: {_extent(one)}. No required guarantee is broken in these. Raise --seconds, or accept a "
            "part with --sample."
        )
    required = [row for row in answer.checked.rows if needed(row, answer.required)]
    if answer.checked.alike:  # groups without a difference say nothing about a rollout
        required = [row for row in required if row.world.name != VARY]
    if answer.checked.one_group:
        return f"OK: {_hold(required)} in this group"
    again = [row for row in required if row.name == REPEATS]
    others = [row for row in required if row.name != REPEATS]
    mine = [row for row in others if row.only_yours] if answer.elsewhere else []
    rest = [row for row in others if row not in mine]
    parts = [f"{_hold(mine)} in all tried groups with them"] if mine else []
    parts += [f"{_hold(rest)} in all tried groups"] if rest else []
    parts += [f"{_hold([row])} in {_asked_again(row)}" for row in again]
    proved = any(proof.proved for proof in answer.proofs)
    alike = nameless(answer) and not _yours(answer) and not proved
    scope = AND_PROVED if proved else NO_PROOF_YOURS if answer.elsewhere else NO_PROOF
    if answer.checked.alike:
        scope = f"No result depends on {answer.checked.alike}, so --vary tested nothing. {scope}"
    if answer.elsewhere:
        return f"OK with your names: {', '.join(parts)}. With other names, {_not_held(answer.elsewhere)}. {scope}"
    return f"OK: {', '.join(parts)}. {scope}{f' {NAMELESS}' if alike else ''}"


def _hold(rows: Sequence[Row]) -> str:
    return f"{listing(row.name for row in rows)} {'hold' if len(rows) > 1 else 'holds'}"


def _asked_again(row: Row) -> str:
    """Return the groups with repeated calls, which are fewer than all tried groups, in words."""
    sizes = [one.space.bound for one in row.deciding if not isinstance(one.space, NamedSpace)]
    if not sizes:
        return f"the {count(row.groups, 'group')} with repeated calls"
    n, q = (max(size[place] for size in sizes) for place in (0, 1))
    size = f"q, c = {q}" if n == q else f"q = {q}, c = {n}"
    return f"the {count(row.groups, 'group')} (up to {size}) with repeated calls"
