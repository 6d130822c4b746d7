"""Parts of a page: fields, assumptions, guarantees, and the refinement map by names."""

from contextlib import nullcontext
from dataclasses import dataclass, replace
from types import SimpleNamespace

import pytest

from rebalance_proofs.errors import UsageError
from rebalance_proofs.model.machine.client import MachineClient, by_name, does
from rebalance_proofs.model.machine.fields import Flag, Ghost, Limit, Number, defaults, limit, record
from rebalance_proofs.model.machine.machine import Actions, Machine, step
from rebalance_proofs.model.machine.page import Guarantees, Property, Words, every, holds
from rebalance_proofs.model.machine.premise import Assumptions, Premise
from rebalance_proofs.model.machine.record import Record, Timed, ghosts, variables
from rebalance_proofs.model.machine.values import Bool, Int, Not
from rebalance_proofs.model.machines.settling import claims as settling
from rebalance_proofs.model.possible import Impossible, need


@record
class Door(Record):
    """A door."""

    open: Bool = Flag("Whether it is open.")
    times: Int = Number("How often it was opened.", most=3)
    ever: Bool = Ghost("Whether it was ever open.")


@record
class Nothing(Record):
    """The choices of actions: none."""

    wide: Bool = Flag("Whether it opens wide.")


@record
class Few(Record):
    """The limits."""

    most: Int = Limit("Greatest number of times.", "maxTimes", 2)


@dataclass(frozen=True)
class Maker(MachineClient):
    """Who makes the doors."""

    name: str


class Wood:
    """A door's code."""

    def __init__(self, limits):
        self.is_open, self.times = False, 0

    def opens(self, times, *, wide):
        need(not self.is_open and times == self.times)
        self.is_open, self.times = True, times + (2 if wide else 1)


action = Actions()


@action("It opens.", choices=("wide",))
def opens(s, c, lim, client):
    return step(Not(s.open), open=True, times=s.times + 1, ever=True)


@action("It is forgotten.")
def forgets(s, c, lim, client):
    return step(True, times=0)


DOOR = Machine(Door, Nothing, Few, lambda blank, lim, client: blank, action)
CODE = by_name(Wood, Wood, DOOR, {"open": "is_open", "times": "times"})
QUIET = Premise(
    "no noise", name="quiet", otherwise="it is loud", excludes=("forgets",), dropped={"opens": lambda s, c, lim: s.open}
)
CALM = Premise("no wind", allows={"opens": lambda s, c, lim: s.times < 2})
BOTH = Assumptions.of("both", QUIET, CALM)


def test_fields_have_their_descriptions():
    assert [one.meaning for one in variables(Door).values()][:2] == ["Whether it is open.", "How often it was opened."]
    assert ghosts(Door) == ("ever",)
    assert Door(open=False, times=1, ever=True).but(times=2).times == 2
    assert defaults(Few) == Few(most=2)
    assert (limit(Few, "most").words, limit(Few, "most").of(Few(most=5))) == ("maxTimes", 5)


def test_limit_without_a_default_is_refused():
    with pytest.raises(ValueError, match="Door: no default for open, times, ever"):
        defaults(Door)


@pytest.mark.parametrize(("wide", "times"), [(False, 1), (True, 2)])
def test_code_is_called_by_the_names_of_actions_and_fields(wide, times):
    made = CODE.made(defaults(Few))
    first = DOOR.begun(defaults(Few), None)
    CODE.put(made, first, Nothing(wide=wide))
    after = does(DOOR, CODE, None, made, "opens", first, Nothing(wide=wide), defaults(Few))
    assert after == Door(open=True, times=times, ever=True)
    with pytest.raises(Impossible):
        does(DOOR, CODE, None, made, "opens", after, Nothing(wide=wide), defaults(Few))


def test_action_without_a_method_is_performed_by_the_machine():
    assert set(CODE.calls) == {"opens"}
    made, state = CODE.made(defaults(Few)), Door(open=True, times=3, ever=False)
    CODE.put(made, state, Nothing(wide=False))
    kept = does(DOOR, CODE, None, made, "forgets", state, Nothing(wide=False), defaults(Few))
    assert kept == state  # what the object stores is read from it


def test_assumption_that_is_dropped_has_no_effect():
    loud = BOTH.dropping(QUIET)
    assert (BOTH.excludes, loud.excludes) == ({"forgets": "no noise"}, {})
    assert (loud.name, loud.even_if, loud.premises) == ("quiet", "it is loud", ("no noise", "no wind"))
    assert QUIET in BOTH
    assert QUIET not in loud
    assert loud.gone is QUIET
    state = Door(open=False, times=2, ever=False)
    assert BOTH.allows("opens", state, Nothing(wide=False), Few(most=2)) is False
    assert (BOTH.restricts, loud.restricts) == (("opens",), ("opens",))
    closed = state.but(times=0)
    permitted = [
        [world.permits("opens", one, Nothing(wide=False), Few(most=2)) for one in (closed, closed.but(open=True))]
        for world in (BOTH, loud)
    ]
    assert permitted == [[True, True], [False, True]]
    with pytest.raises(ValueError, match="quiet has no assumption 'no noise'"):
        loud.dropping(QUIET)


def test_dropped_assumption_can_exclude_needless_actions():
    windy = Premise("no wind", name="wind", otherwise="it blows", narrows=("forgets",))
    calm = Assumptions.of("calm", windy)
    assert (calm.excludes, calm.dropping(windy).excludes) == ({}, {"forgets": "it blows"})


class AsDeclared(Assumptions):
    """Assumptions whose formulas do not depend on the order of the set."""

    as_declared = True


def test_conditions_are_stated_in_order_of_declaration():
    first, second = (Premise(str(number), allows={"opens": lambda s, c, lim: s.open}) for number in range(2))
    for of, ordered in ((Assumptions, [second, first]), (AsDeclared, [first, second])):
        world = of.of("other", second, first)
        assert world._ordered == ordered
        assert world.premises == ("1", "0")


def test_unnamed_assumption_excludes_without_words():
    silent = Premise("", excludes=("forgets",), never=("wide",))
    world, state = Assumptions.of("calm", CALM, silent), Door(open=False, times=0, ever=False)
    assert (world.premises, world.excludes, world.never) == (("no wind",), {"forgets": ""}, ("wide",))
    assert [world.permits("opens", state, Nothing(wide=wide), Few(most=2)) for wide in (False, True)] == [True, False]
    assert world.gone is None


def test_dropped_assumption_permits_the_choices_that_it_excludes():
    narrow = Premise("narrow doors", name="width", otherwise="doors are wide", never=("wide",), meaning="narrow: 1 m")
    world, state = Assumptions.of("narrow", narrow), Door(open=False, times=0, ever=False)
    assert world.defines == ("narrow: 1 m",)
    for one, permitted in ((world, False), (world.dropping(narrow), True)):
        assert one.permits("opens", state, Nothing(wide=True), Few(most=2)) is permitted


def test_action_is_named_without_the_suffix_of_its_machine():
    slowly = Actions("_slowly")

    @slowly("It opens slowly.")
    def opens_slowly(s, c, lim, client):
        return step(True, open=True)

    assert [one.name for one in slowly] == ["opens"]


SLOW = Premise("no slow hand", waits=lambda encoding, s, until, lim: until <= encoding.last)
FEW_TIMES = Premise("few times", limits={"at most two times": lambda lim: lim.most <= 2})
OF_MAKER = Premise("", asks={"opens": lambda encoding, s, c, lim: s.times < encoding.last})


def test_assumption_can_depend_on_the_client_and_restrict_time_and_limits():
    world = Assumptions.of("slow", SLOW, FEW_TIMES, OF_MAKER)
    state, few = Door(open=False, times=2, ever=False), Few(most=3)
    for last, may in ((2, False), (3, True)):
        its = world.beside(SimpleNamespace(last=last))
        assert (its.waits(state, 3, few), its.allows("opens", state, Nothing(wide=False), few)) == (may, may)
    assert world.asked(few) == {"at most two times": False}
    assert CALM not in world
    assert BOTH.beside(None) is BOTH


@record
class Clocked(Timed):
    """A state with a clock."""


def test_time_does_not_run_backwards_without_an_assumption_about_time():
    early = Premise("early", name="late", otherwise="it is late", waits=lambda encoding, s, until, lim: until <= 7)
    world, state = Assumptions.of("early", early), Clocked(now=5)
    for its, permitted in ((world, [False, True, False]), (world.dropping(early), [False, True, True])):
        assert [its.waits(state, until, Few(most=2)) for until in (4, 5, 8)] == permitted


def test_clock_without_a_last_tick_is_refused():
    endless = replace(settling.PAGE.search, end=0)
    refused = "the page 'settling' has a clock, .* give its search the last tick to explore, such as Search"
    with pytest.raises(UsageError, match=refused):
        replace(settling.PAGE, search=endless)
    by_world = replace(settling.PAGE, search=lambda world: endless)
    with pytest.raises(UsageError, match=refused):
        by_world.searching(None)


def test_observation_has_words_by_default():
    told = Words("Doors", "Doors.", str, str, "a door", "1 door", "doors", "of doors", "a door")
    assert told.observes == "The run is inspected"


def test_assumption_without_a_sentence_is_not_listed_or_dropped():
    world = Assumptions.of("some", CALM, OF_MAKER)
    assert (world.premises, world.gone, world.excludes) == (("no wind",), None, {})


@pytest.mark.parametrize(
    ("other", "action", "touched"),
    [
        (BOTH.dropping(QUIET), "forgets", True),
        (BOTH.dropping(QUIET), "opens", True),
        (Assumptions.of("calm", QUIET), "opens", True),
        (Assumptions.of("calm", QUIET), "forgets", False),
        (Assumptions.of("slow", QUIET, CALM, SLOW), "forgets", True),
        (Assumptions.of("few", QUIET, CALM, FEW_TIMES), "time-passes", True),
    ],
)
def test_assumptions_differ_in_the_actions_that_they_concern(other, action, touched):
    assert other.touches(action, BOTH) is touched


class Clock(Timed):
    """A state with a time."""


def test_code_with_a_clock_knows_the_time_of_each_call():
    class Clocked:
        now = 0

        def ticks(self):
            need(self.now == 7)

    tick = Actions()
    tick("It ticks.")(named("ticks"))
    machine = Machine(Clock, Nothing, Few, lambda blank, lim, client: blank, tick)
    code = by_name(lambda limits: Clocked(), Clocked, machine, {"now": "now"})
    for now in (7, 8):
        with nullcontext() if now == 7 else pytest.raises(Impossible):
            does(machine, code, None, Clocked(), "ticks", Clock(now=now), Nothing(wide=False), defaults(Few))


def named(name):
    """An action that changes nothing."""

    def action(s, c, lim, client):
        return step(True)

    action.__name__ = name
    return action


def test_guarantee_is_named_after_its_function():
    guarantee = Guarantees()

    @guarantee
    def never_loud(client):
        return Property(f"{client.name} is never loud", "", (holds(BOTH),))

    assert {name: one.sentence for name, one in guarantee.of(Maker("it")).items()} == {"never-loud": "it is never loud"}


def test_every_combination_is_listed():
    assert every(a=2, b=2) == [{"a": 0, "b": 0}, {"a": 0, "b": 1}, {"a": 1, "b": 0}, {"a": 1, "b": 1}]


def test_mistake_in_an_action_names_the_action():
    wrong: Actions = Actions()

    @wrong("The door opens.")
    def opens(s, c, lim, client):
        return step(Not(s.open), opne=True)

    machine = Machine(Door, Nothing, Few, lambda blank, lim, client: blank, wrong)
    with pytest.raises(TypeError, match="the action 'opens' of Door: Door has no opne"):
        machine.turn("opens", Maker("it"), Door.blank(), Nothing.blank(), Few(most=2))
