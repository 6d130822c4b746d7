"""Search the states in which a machine can be after the events of a recording so far."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from rebalance_proofs.model.machine.recorded import Cause, Choice, Recorded, Row, Urgent
from rebalance_proofs.recorded.cluster.follower.compiled import Act, Compiled, Values
from rebalance_proofs.recorded.cluster.follower.history import Process
from rebalance_proofs.recorded.cluster.tally import MOST, TOO_MANY, Tally, Unexplained
from rebalance_proofs.recorded.cluster.trace import STALL
from rebalance_proofs.recorded.groups.event import Event

FEW = 100
"""Maximum number of states that are kept beside the unknown state of a gap."""


class Item(NamedTuple):
    """One possible state of the machine."""

    at: int
    """Time in ms of the machine's last action, or of the last event that showed the machine in this state.

    It is the earliest possible time; known and unknown pauses can delay the action.
    """
    values: Values | None
    """The state's values; None in a gap, where the machine can be in any state."""
    pending: frozenset[int]
    """Open events, by number: their action has not happened in this state."""


class Plan(NamedTuple):
    """A hidden action that a state makes possible at a time."""

    at: int
    number: int
    """Number of the hidden action in the table; ``~number`` of an open event."""


Plans = list[Plan] | None


class Open(NamedTuple):
    """An event whose action happens at any time in an interval."""

    row: Row[Any]
    event: Event
    since: int


class Search:
    """The set of states in which one machine can be, advanced event by event."""

    def __init__(self, table: Recorded[Any, Any], code: Compiled, process: Process, tally: Tally) -> None:
        """Begin without states, before the machine's first event."""
        self.table, self.code, self.process, self.tally = table, code, process, tally
        self.items: dict[Item, Plans] = {}
        """Possible state -> its plan; None before the plan is made."""
        self.open: dict[int, Open] = {}
        self.names: dict[int, Sequence[str]] = {}
        """Open event, by number -> names of the actions of its first explanation."""
        self.gaps = sorted(table.gaps.when(process)) if table.gaps else []
        self.first: Any = None
        self.begun, self.now = False, 0
        self.forked = False
        """Whether the machine began later than that of its queue."""

    def begin(self, **shared: int) -> None:
        """Set the first states; ``shared``: values of fields that all queues of the process share."""
        process, code = self.process, self.code
        at = process.at if self.table.each == "queue" else process.begun
        given = {"now": at} if code.timed else {}
        for values in self.table.first(process):
            self.first = code.machine.begun(code.limits, code.client, **given).but(**values, **shared)
            self.items[Item(at, code.settled(code.values(self.first)), frozenset())] = None
        self.begun, self.now = True, at

    def fork(self, code: Compiled) -> "Search":
        """Return a search that begins in the same states, with other limits."""
        made = Search(self.table, code, self.process, self.tally)
        made.items = {Item(one.at, one.values, frozenset()): None for one in self.items}
        made.first, made.begun, made.now, made.forked = self.first, self.begun, self.now, True
        return made

    def put(self, place: int, value: int) -> None:
        """Set a field in all possible states."""
        for item in [item for item in self.items if item.values is not None and item.values[place] != value]:
            del self.items[item]
            values = item.values or ()
            self.items[item._replace(values=(*values[:place], value, *values[place + 1 :]))] = None

    # ---- Explain events

    def show(self, row: Row[Any], event: Event, at: int | None = None) -> None:
        """Advance by an event, or by its effect at a later time. Raises ``Unexplained``."""
        time = event.at if at is None else at
        found = dict[Item, Plans]()
        still = not any(one.moves or one.outside for one in row.ways)
        plain = any(one.acts for one in row.ways) or not any(one.only or one.unable for one in row.ways)
        if still and (plain or row.looks) and not self._crosses_gap(time):
            # Nothing happens. Hidden actions, which need most of the time, are left for the next event.
            self._explain(row, event, time, (item for item in self.items if not self._leaves(row, item, time)), found)
        if found:
            self._replace(found, row, event, ())
            return
        self.pass_to(time, event)
        shown = self._explain(row, event, time, self.items, found)
        if row.may:
            found = {**self.items, **found}
        self._replace(found, row, event, shown)

    def _leaves(self, row: Row[Any], item: Item, at: int) -> bool:
        """Return True if a sign of life comes too late for a state: an urgent action was due before."""
        stays = item.values is not None and any(
            one.acts and (not one.only or one.only(self.code.record(item.values, at), self.process)) for one in row.ways
        )
        return stays and self._overdue(item, at)

    def begins(self, number: int, one: Open) -> None:
        """Open the interval of an event: from now on, its action can happen."""
        self.pass_to(one.since, one.event)
        self.open[number] = one
        explained = dict[Item, Plans]()
        if one.row.looks:  # a state that explains the event now needs no later explanation
            self.names[number] = self._explain(one.row, one.event, one.since, self.items, explained)
        for item in [*self.items]:
            if item in explained:
                self.items[item] = None  # other open events can happen after this one, too
            else:
                del self.items[item]
                self.items[item._replace(pending=item.pending | {number})] = None

    def ends(self, number: int, until: int, row: Row[Any], event: Event) -> None:
        """Close the interval of an event: its action has happened. Raises ``Unexplained``."""
        if number not in self.open:  # the machine began later
            if self.forked and not row.looks:
                self.show(row, event)
            return
        one = self.open[number]
        self.pass_to(until, one.event)
        found = {item: done for item, done in self.items.items() if number not in item.pending}
        for item in [item for item in self.items if number in item.pending]:
            # An earlier time was tried before other events were seen. These may not fit to the state after the action.
            found.update((after, None) for after in self._opened(item, number, until) if after not in found)
        self._replace(found, one.row, one.event, self.names.pop(number, ()))
        del self.open[number]

    def _replace(self, found: dict[Item, Plans], row: Row[Any], event: Event, shown: Sequence[str]) -> None:
        unknown = [item for item in found if item.values is None]
        if len(found) > FEW and unknown:  # in a gap, each state counts as possible anyway
            found = dict.fromkeys(unknown)
        if not found:
            self.process.event = event
            why = row.why if isinstance(row.why, str) else row.why(self.process)
            raise Unexplained(event, why, self.told(), tuple(self._nearest(row, event)))
        if len(found) > MOST:
            raise Unexplained(event, TOO_MANY, self.told())
        self.tally.shown.update(shown)
        self.tally.most_states = max(self.tally.most_states, len(found))
        self.items = found

    def _explain(
        self, row: Row[Any], event: Event, at: int, items: Iterable[Item], found: dict[Item, Plans]
    ) -> Sequence[str]:
        """Add to ``found`` the states after an event, and return the names of the first explanation's actions."""
        process, shown = self.process, None
        before, process.event = process.event, event
        for item in items:
            if row.may and item.values is None:
                continue  # the state stays unknown
            for values in self._states(item, at):
                for way in row.ways:
                    for after in self._along(way, values, at):
                        # Hidden actions that have not happened before the event can still happen: they are planned
                        # again.
                        acts = way.acts and not row.looks
                        found.setdefault(Item(at, self.code.settled(after), item.pending) if acts else item, None)
                        shown = shown or tuple(name for name, _ in way.moves)
                        self.tally.widened += way.outside is not None and not way.expected
            shows = not row.beside and any(way.acts for way in row.ways)
            if item.values is None and (self._in_gap(at) or not shows):
                found.setdefault(item, None)
        process.event = before
        return shown or ()

    def _states(self, item: Item, at: int) -> Iterator[Values]:
        """Yield the item's state, or in a gap all states in which the machine can be."""
        if item.values is not None:
            yield item.values
        elif self.table.gaps:
            for state in self.table.gaps.anywhere(self.first, at, self.code.limits):
                yield self.code.values(state)

    def _along(self, way: Cause[Any], values: Values, at: int) -> Iterator[Values]:
        """Yield the states after the actions of an explanation at one time."""
        if way.only and not way.only(self.code.record(values, at), self.process):
            return
        if any(self._is_able(action, values, at) for action in way.unable):
            return
        if way.outside:
            before = self.code.record(values, at)
            after = way.outside(before, self.process)
            values = values if vars(after) == vars(before) else self.code.values(after)
        own, begun = self._actor(way, values)
        reached = [begun]
        for action, choices in way.moves:
            act = self.code.act(action)
            reached = [
                act.after(at, *one, *chosen)
                for one in reached
                for chosen in self._choices(action, choices, one, at)
                if act.guard(at, *one, *chosen)[0]
            ]
        for after in reached:
            one = after if own is None else self.code.acted(values, after, own)
            if not way.sees or way.sees(self.code.record(one, at), self.process):
                yield one

    def _actor(self, way: Cause[Any], values: Values) -> tuple[int | None, Values]:
        """Return the number of another copy that acts, or None, and the values of the machine that acts."""
        own = way.by(self.process) if way.by else None
        if own is None:
            return None, values
        given = {name: of(self.process) if callable(of) else of for name, of in way.given.items()}
        return own, self.code.another(values, own, given)

    def _is_able(self, action: str, values: Values, at: int) -> bool:
        """Return True if an action is possible in a state, for some choices."""
        return any(self.code.act(action).guard(at, *values, *one)[0] for one in self.code.chosen(action, {}))

    def _choices(self, action: str, of: Mapping[str, Choice[Any]], values: Values, at: int) -> Sequence[Values]:
        given: dict[str, int] = {}
        for name, choice in of.items():
            value = choice(self.code.record(values, at), self.process) if callable(choice) else choice
            if value is not None:
                given[name] = int(cast("int", value))
        return self.code.chosen(action, given)

    # ---- Let time pass

    def pass_to(self, until: int, event: Event) -> None:
        """Advance to a time: hidden actions happen, and no urgent action is overdue. Raises ``Unexplained``."""
        if not self.items:
            return
        self._hidden(until)
        left = {item: done for item, done in self.items.items() if not self._overdue(item, until)}
        for since, end in self.gaps:
            if since <= until and end > self.now:
                latest = Item(min(end, until), None, frozenset())
                earlier = [item for item in left if item.values is None and not item.pending and item.at <= latest.at]
                for item in earlier:
                    del left[item]
                left[latest] = None
                self.tally.widened += 1
        if not left:
            raise Unexplained(event, self.table.late, self.told())
        self.now, self.items = until, left

    def _crosses_gap(self, until: int) -> bool:
        """Return True if the state may be unknown, or a gap began since the last event."""
        unknown = any(item.values is None for item in self.items)
        return unknown or any(since <= until and end > self.now for since, end in self.gaps)

    def _in_gap(self, at: int) -> bool:
        return any(since <= at <= end for since, end in self.gaps)

    def _hidden(self, until: int) -> None:
        """Add the states after hidden actions, and after the actions of open events."""
        work = [*self.items]
        while work:
            item = work.pop()
            if item.at > until:
                continue
            plans = self.items[item]
            if plans is None:
                plans = self.items[item] = [*self._plan(item)]
            if plans and plans[0].at <= until:
                for after in self._happen(item, plans, until):
                    if after not in self.items:
                        self.items[after] = None
                        work.append(after)
                    if all(self.open[one].row.looks for one in item.pending - after.pending) and after[:2] == item[:2]:
                        del self.items[item]  # the same state, and all that it must still explain
                        break

    def _plan(self, item: Item) -> Iterator[Plan]:
        """Yield when hidden actions become possible in a state, by time; and the open events."""
        plans = [Plan(max(item.at, self.open[number].since, self.now), ~number) for number in item.pending]
        if item.values is not None:
            for number, unseen in enumerate(self.table.hidden):
                action, _ = unseen.way.moves[0]
                act, chosen = self.code.act(action), self.code.chosen(action, {})[0]
                if (first := _possible_from(act, item.values, chosen, item.at)) is not None:
                    plans.append(Plan(first, number))
        yield from sorted(plans)

    def _happen(self, item: Item, plans: list[Plan], until: int) -> Iterator[Item]:
        """Yield the states after the planned actions up to a time, and remove them from the plan."""
        now = [plan for plan in plans if plan.at <= until]
        plans[:] = [plan for plan in plans if plan.at > until]
        for plan in now:
            if plan.number < 0:
                yield from self._opened(item, ~plan.number, plan.at)
                continue
            unseen, last, values = self.table.hidden[plan.number], plan.at, item.values or ()
            if unseen.later:
                last += unseen.later(self.code.record(values, plan.at), self.process)
            for at in range(plan.at, min(last, until) + 1, STALL):
                if self._overdue(item, at):  # the machine does not stay in this state
                    break
                for after in self._along(unseen.way, values, at):
                    self.tally.hidden += 1
                    self.tally.widened += unseen.missing
                    self.tally.shown.update(name for name, _ in unseen.way.moves)
                    yield Item(at, after, item.pending)
                if at + STALL > until and at < last:
                    plans.insert(0, Plan(at + STALL, plan.number))
        plans.sort()

    def _opened(self, item: Item, number: int, at: int) -> Iterator[Item]:
        """Yield the states after the action of an open event."""
        if number in self.open:
            one, found = self.open[number], dict[Item, Plans]()
            names = self._explain(one.row, one.event, at, (item,), found)
            self.names[number] = self.names.get(number) or names
            if item.values is None:
                found[item] = None
            for after in found:
                yield after._replace(pending=item.pending - {number})

    def _overdue(self, item: Item, until: int) -> bool:
        """Return True if an urgent action should have happened before ``until``."""
        gaps = self.table.gaps
        if item.values is None:
            silent = gaps.silence(self.code.limits) if gaps else 0
            return until - item.at > silent + self.process.trace.slack(self.process.who, item.at, until)
        if until - item.at <= STALL:
            return False
        over = until - self.process.trace.slack(self.process.who, item.at, until)
        for urgent in self.table.urgent:
            if self._is_possible(urgent, item.values, over):
                within = urgent.within(self.code.record(item.values, over), self.process, item.at)
                since = None if within is None else over - within
                if since is not None and since > item.at and self._is_possible(urgent, item.values, since):
                    return True
        return False

    def _is_possible(self, urgent: Urgent[Any], values: Values, at: int) -> bool:
        """Return True if urgent actions are possible in a state, and have their effect."""
        effect, record = urgent.effect, self.code.record
        reached = self._along(urgent.way, values, at)
        return any(effect is None or effect(record(values, at), record(after, at)) for after in reached)

    # ---- Report

    def told(self) -> tuple[str, ...]:
        """Return up to five possible states as text."""
        return tuple(self._text(item) for item in [*self.items][:5])

    def _text(self, item: Item) -> str:
        if item.values is None:
            return "unknown, after a gap"
        known = zip(self.code.names, item.values, self.code.kinds, strict=True)
        shown = (name if kind is bool else f"{name}={value}" for name, value, kind in known if value)
        return ", ".join([*([f"now={item.at}"] if self.code.timed else []), *shown])

    def _nearest(self, row: Row[Any], event: Event) -> Iterator[str]:
        """Yield for each explanation its first impossible action, and the false parts of the action's guard."""
        values = next((one.values for one in self.items if one.values is not None), None)
        if values is not None:
            known = self.code.machine.actions
            ways = (way for way in row.ways if all(action in known for action, _ in way.moves))
            yield from (self._failing(way, values, event.at) for way in ways)

    def _failing(self, way: Cause[Any], values: Values, at: int) -> str:
        _, values = self._actor(way, values)
        for action, choices in way.moves:
            chosen = self._choices(action, choices, values, at)
            act = self.code.act(action)
            possible = [one for one in chosen if act.guard(at, *values, *one)[0]]
            if not possible:
                sentence = self.code.machine.actions[action].sentence.rstrip(".")
                return f"{action} ({sentence}): {self.code.why_not(action, values, at, chosen[0])}"
            values = tuple(map(int, act.after(at, *values, *possible[0])))
        return f"{' then '.join(name for name, _ in way.moves) or 'nothing'}: the recording shows another state"


FAR = 1 << 40
"""A time after the end of all recordings, in ms."""


def _possible_from(act: Act, values: Values, choices: Values, since: int) -> int | None:
    """Return the first time at which an action is possible, or None.

    An action that becomes possible with time stays possible.
    """
    if act.guard(since, *values, *choices)[0]:
        return since
    if not act.timed or not act.guard(FAR, *values, *choices)[0]:
        return None
    low, high = since, FAR
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if act.guard(middle, *values, *choices)[0] else (middle, high)
    return high
