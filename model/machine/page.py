"""One page for one machine: the parts that a page declares besides records, actions and assumptions.

Everything else is made from a page: the claims with their proofs, searches and mutants
(``proofs.machine.declared``), the comparison of code and terms (``spark_enum.machine.declared``), and the tables,
stories and traces of reports (``report.machine.declared``).

To write or port a page, make ``model/machines/NAME.py`` with a ``PAGE``, and add its name to the three tables of kinds
as ``...machine.declared.kind:NAME``. A large page is a package whose module ``claims`` has the ``PAGE``. The page reads
in this order:

1. State, choices and limits: classes with ``@record`` (``model.machine.fields``).
2. What clients differ in: a subclass of ``MachineClient`` with ``code``, the refinement map (``model.machine.client``).
   By convention, a method of the client's code has the name of its action, and its arguments have the names of fields
   and choices.
3. Actions: functions with ``@action`` that return a guard and changes (``model.machine.machine``).
4. Clients, and mutants of the actions (``model.machine.client``).
5. Assumptions: each is a ``Premise``. A subclass of ``Assumptions`` restricts the time; its objects are sets of them.
6. Guarantees: a function with ``@guarantee`` for each. It returns a ``Property``: its words, its bad states, its
   invariant, its time bounds, and the claims ``holds(...)`` and ``refuted(...)``.
7. ``Compared``: states in which code and terms are compared. Then the ``PAGE``.

If several consumers share the broker's state (``Number(..., shared=True)``), the page also declares what each relies on
about the others (``Rely``), and which clients may form one group (``Mixed``).

A dump of all claims, obligations and stories before and after shows whether a port changed them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, Generic, TypeVar

from rebalance_proofs.errors import UsageError
from rebalance_proofs.model.machine.bound import Bound
from rebalance_proofs.model.machine.client import MachineClient, Wrong, WrongParts
from rebalance_proofs.model.machine.conjunct import Conjunct, Predicate
from rebalance_proofs.model.machine.copies import Others
from rebalance_proofs.model.machine.machine import Machine
from rebalance_proofs.model.machine.premise import Assumptions
from rebalance_proofs.model.machine.record import C, L, Record, S, variables
from rebalance_proofs.model.machine.recorded import Recorded
from rebalance_proofs.model.machine.run import Happens, Run, Schedule
from rebalance_proofs.model.machine.values import Bool, Int

K = TypeVar("K", bound=MachineClient)
"""Type variable: the clients of a page."""
Move = str | tuple[str, *tuple[bool, ...]]
Way = Sequence[tuple[Move | Happens, Int]]
"""Actions with their times in ms; an action with choices is a tuple of its name and their values."""
Mutants = Sequence[Wrong[S, C, L, K] | WrongParts[K]]
Conjuncts = Sequence[Conjunct[S, L]]
Invariant = Conjuncts[S, L] | Callable[[Any], Conjuncts[S, L]]
"""The conjuncts of an invariant, or a function of the assumptions that returns them."""


@dataclass(frozen=True)
class Holds:
    """A claim about a property: whether it holds under some assumptions."""

    world: Assumptions[Any, Any, Any]
    holds: bool
    named: bool = field(default=False, kw_only=True)
    """Whether its id names the assumptions even if it is the first claim about the property."""
    scope: str = field(default="", kw_only=True)
    """Its scope, if it is not the page's."""
    source: str = field(default="", kw_only=True)
    """Its source, if it is not the property's."""
    notices: tuple[str, ...] = field(default=(), kw_only=True)
    """See ``Claim.notices``."""
    variant: str | None = field(default=None, kw_only=True)
    """End of the claim's id; None for the name of the assumptions, which a guarantee's first claim omits."""
    more: str = field(default="", kw_only=True)
    """Words after the property's sentence."""
    assuming: tuple[str, ...] = field(default=(), kw_only=True)
    """Further assumptions, which depend on the client."""
    defining: tuple[str, ...] = field(default=(), kw_only=True)
    """Definitions of words of the assumptions, which depend on the client."""


def holds(world: Assumptions[Any, Any, Any], **more: Any) -> Holds:
    """Return the claim that the property holds under these assumptions; ``more``: other fields of ``Holds``."""
    return Holds(world, True, **more)


def refuted(world: Assumptions[Any, Any, Any], **more: Any) -> Holds:
    """Return the claim that the property does not hold; ``more``: other fields of ``Holds``."""
    return Holds(world, False, **more)


@dataclass(frozen=True)
class Attained(Generic[S, L]):
    """A proof that certain runs exist for all limits, such as runs that reach a time bound."""

    sentence: str
    ways: Callable[[L], Iterable[Way]]
    """``ways(limits)``: schedules, one of which is always possible."""
    so: Callable[[S, L], tuple[Bool, ...]] = lambda state, limits: ()
    """``so(state, limits)``: conditions that are true at the end, of the first copy."""
    name: str = ""
    """Name of the obligation; empty for the guarantee's name."""
    given: Callable[[L], Mapping[str, Bool]] = lambda limits: {}
    """``given(limits)``: further assumptions about the limits, by sentence."""
    every: Callable[[Any, Sequence[S], L], tuple[Bool, ...]] = lambda encoding, states, limits: ()
    """``every(encoding, states, limits)``: conditions that are true at the end, of all copies."""


@dataclass(frozen=True, eq=False)
class Proof(Generic[S, L]):
    """The proof of a property under some assumptions, if it depends on them."""

    invariant: Sequence[Conjunct[S, L]]
    bad: Predicate[S, L] | None = None
    """The states that the invariant excludes, if they differ from the property's own."""
    concluded: tuple[str, str] | None = None
    """Name and sentence of the obligation that the invariant excludes bad states."""
    asked: Callable[[L], Mapping[str, Bool]] = lambda limits: {}
    """``asked(limits)``: further assumptions about the limits, by sentence."""
    idle: Sequence[str] = ()
    """Actions that the invariant makes impossible."""
    by_actions: bool = False
    """Whether only actions can break the invariant, so that the other obligations are omitted."""
    more: str = ""
    """Dotted name of a function that returns further obligations of the induction, made by a module in ``proofs``."""


@dataclass(frozen=True)
class Fact:
    """A lemma about its own unknowns, on which all claims that hold rely."""

    name: str
    sentence: str
    unknowns: type[Record]
    state: Callable[[Any, Any, Any], tuple[Mapping[str, Bool], Bool]]
    """``state(encoding, unknowns, limits)`` returns the assumptions by sentence, and the conclusion."""
    large: Sequence[str] = ()
    """Unknowns and limits for which the vacuity check requires large values."""


@dataclass(frozen=True)
class Lemma:
    """A further obligation about single steps of the machine."""

    name: str
    sentence: str
    state: Callable[..., tuple[Mapping[str, Bool], Bool]]
    """``state(encoding, state, choices, limits)`` returns the assumptions by sentence, and the conclusion."""
    more: tuple[str, ...] = ()
    """Names of further unknown numbers, such as ``until``; ``state`` gets them as further arguments."""
    other: str = ""
    """Place of a second state, such as ``at the other broker``: it satisfies the invariant, and is the last argument.

    Empty for no second state.
    """


@dataclass(frozen=True, eq=False)
class Property(Generic[S, L]):
    """A guarantee of one client: its words, its proof, and the claims about it."""

    sentence: str
    source: str
    claims: Sequence[Holds]
    bad: Predicate[S, L] | None = None
    """The states that violate it; None if it is that certain runs exist, by ``attained`` or ``lemmas``."""
    broken: str | Callable[[Run[S, L]], str] = ""
    """The sentence about a run that violates it."""
    observed: Predicate[S, L] | None = None
    """The states that violate it in a run, if they differ from ``bad``, which may use further ghosts."""
    every: bool = False
    """Whether a run violates it only if the state of every copy is bad."""
    hopeless: Predicate[S, L] | None = None
    """States of the acting copy from which no bad state can be reached; explorations drop them."""
    sought: bool = True
    """Whether runs to bad states are searched for."""
    violated: Callable[[Run[S, L]], bool] | None = None
    """``violated(run)``: whether a run violates it, if the last state does not show that."""
    invariant: Invariant[S, L] = ()
    concluded: str | None = None
    """Name of the obligation that the invariant excludes bad states; empty for the guarantee's name.

    None if initiation and consecution also prove that no state is bad (``Induction.conclusion``).
    """
    conclusion: str = ""
    """Sentence of that obligation; empty for the property's."""
    bounds: Sequence[Bound[S, L]] = ()
    """Its time bounds."""
    proof: Callable[[Any], Proof[S, L]] | None = None
    """``proof(world)``: the proof under these assumptions, instead of ``invariant`` and ``concluded``."""
    shares: Assumptions[Any, Any, Any] | None = None
    """Assumptions whose obligations other claims use for actions that their own assumptions do not affect."""
    relied_on: bool = False
    """Whether the property is what other copies rely on (``Rely.others``)."""
    aside: Sequence[str] = ()
    """Actions that explorations omit because they cannot lead to a bad state."""
    attained: Attained[S, L] | Callable[[Any], Iterable[Attained[S, L]]] | None = None
    """The runs that exist; a function returns them for some assumptions."""
    name: str = ""
    """Name of the guarantee; empty for the function's name."""
    lemmas: Sequence[Lemma] = ()
    """Obligations besides the invariant's, or the whole proof that certain runs exist."""
    open: bool = False
    """Whether the fields in ``Machine.open`` have arbitrary values in the first state."""
    brief: str = ""
    assumes: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    covers: tuple[str, ...] = ()

    def conjuncts(self, world: Assumptions[Any, Any, L]) -> Conjuncts[S, L]:
        """Return the conjuncts of the invariant under these assumptions."""
        return self.invariant(world) if callable(self.invariant) else self.invariant


class Guarantees(Generic[K, S, L]):
    """Decorator that collects a page's guarantees, in order of declaration."""

    def __init__(self) -> None:
        self._known: dict[str, Callable[[K], Property[S, L]]] = {}

    def __call__(self, made: Callable[[K], Property[S, L]]) -> Callable[[K], Property[S, L]]:
        """Declare a function of the client as a guarantee, under the function's name: ``as_long`` is ``as-long``."""
        self._known[made.__name__.replace("_", "-")] = made
        return made

    def of(self, client: K) -> dict[str, Property[S, L]]:
        """Return the client's properties by name, in order of declaration."""
        return {name: made(client) for name, made in self._known.items()}


@dataclass(frozen=True)
class Rely(Generic[S, L]):
    """What each copy of a machine relies on about the other copies, and is proved to do itself."""

    sentence: str
    """Sentence of the obligation that each copy does only this."""
    others: Callable[[Any, Conjuncts[S, L]], Sequence[Others[S, L]]]
    """``others(world, invariant)``: everything that other copies can do to the shared fields."""
    begins: Callable[[Any, Conjuncts[S, L]], Callable[[S, L], Mapping[str, Bool]]]
    """``begins(world, invariant)``: conditions on the shared fields when a copy begins, by sentence."""
    world: Assumptions[Any, Any, Any] | None = None
    """Assumptions under which the obligation is proved once, without an invariant; None to prove it in each proof."""


@dataclass(frozen=True)
class Joint:
    """One proof of several guarantees, which consumers of another client rely on."""

    world: Assumptions[Any, Any, Any]
    guarantees: tuple[str, ...]
    prefix: str = ""
    """Prefix of the names of its obligations, where the client proves them for a group of two clients."""


@dataclass(frozen=True)
class Mixed(Generic[K]):
    """Groups of two clients, in which each does only what the proofs about the other rely on."""

    groups: Sequence[Sequence[K]]
    """Clients any two of which may form a group."""
    world: Callable[[K], Assumptions[Any, Any, Any]]
    """``world(client)``: the assumptions, if this client is the first of the two."""
    proofs: Callable[[K, K], Sequence[Joint]]
    """``proofs(client, other)``: the client's proofs in a group with the other one."""
    own: Callable[[K, K], bool]
    """``own(client, other)``: whether the client must prove its own invariants again for such a group."""
    source: str
    scope: str


@dataclass(frozen=True)
class Search(Generic[L]):
    """Settings of searches for counterexamples (``proofs.machine.configuration.Configuration``).

    ``unseen``, ``beside`` and ``best`` are functions of the assumptions; ``beside`` names guarantees.
    """

    ticks: L
    end: int = 0
    """Last explored tick; a machine with a clock needs it, unless its times are relative (``Variable.relative``)."""
    limit: int = 200
    gives_up: bool = False
    numbers: Callable[[L], Mapping[str, Int]] = lambda limits: {}
    most: int = 31
    copies: int = 1
    aside: tuple[str, ...] = ()
    tried: Callable[[str, Any, Sequence[Happens]], Sequence[Happens]] = lambda guarantee, world, moves: moves
    """``tried(guarantee, world, moves)``: the actions to explore for the guarantee of that name, in order."""
    unseen: Callable[[Any], Collection[str]] = lambda world: ()
    beside: Callable[[Any], Collection[str]] | None = None
    best: Callable[[Any], Callable[[Schedule], Any] | None] = lambda world: None
    ends: Sequence[str] = ()
    follows: Callable[[Any], Any] = lambda choices: choices
    around: tuple[int, int] | None = None
    fits: Callable[[Any, Holds], tuple[L, L]] | None = None
    """``fits(client, claim)``: limits of a claim's runs, in ms and in ticks, that replace the page's."""
    end_of: Callable[[Holds], int] = lambda claim: 0
    """``end_of(claim)``: the last explored tick for this claim; 0 to use ``end``."""
    joined: bool = False
    apart: bool = False

    @property
    def length(self) -> str:
        """Return the length of the longest explored run, in words."""
        return f"{self.end} ticks" if self.end else f"{self.limit} actions"


@dataclass(frozen=True, eq=False)
class Compared(Generic[L]):
    """States in which the client's code and the terms are compared: every combination of one row of each part."""

    kind: str
    """Name of the check."""
    title: str
    """Title in the check's name, after the client's name."""
    limits: L
    parts: Sequence[Sequence[Mapping[str, int]]]
    choices: Mapping[str, int] = field(default_factory=dict)
    numbers: Mapping[str, Sequence[int]] = field(default_factory=dict)
    """Several values for a numeric choice."""
    tries: Callable[[Happens], bool] = lambda move: True
    """``tries(move)``: whether to try a combination of an action and its choices."""
    now: int = 0
    besides: Sequence[Sequence[Sequence[Mapping[str, int]]]] = ()
    """Further lists of parts, for additional states."""


def every(**ranges: int) -> list[dict[str, int]]:
    """Return rows with every combination of values: ``every(flag=2, at=7)``."""
    return [dict(zip(ranges, values, strict=True)) for values in product(*map(range, ranges.values()))]


@dataclass(frozen=True)
class Answer(Generic[S, L]):
    """An answer of the client's code, such as a list of ids, that reports show after each action of a run."""

    of: Callable[[Run[S, L]], Sequence[tuple[str, ...]]]
    """``of(run)``: the answer after each action."""
    meaning: str
    words: Callable[[tuple[str, ...]], str]
    """``words(answer)``: phrase for a changed answer, to follow "it now": ``lists [X]``."""
    counts: str
    """An action that texts only count if it does not change the answer."""
    counted: Callable[[int], str]
    """``counted(many)``: phrase for a number of such actions."""
    title: str
    """Title of the diagram of a run."""
    runs: Callable[[S], Bool]
    """``runs(state)``: whether the member is alive."""
    present: Callable[[S], Bool]
    """``present(state)``: whether the member is connected."""
    spoke: tuple[str, ...]
    """Actions in which the member sends something, or its connection closes."""


@dataclass(frozen=True)
class Words(Generic[S, L, K]):
    """Words of reports about a machine."""

    title: str
    sentence: str
    """What the claims are about."""
    about: Callable[[K], str]
    """``about(client)``: a sentence about the code that claims cover."""
    given: Callable[[Run[S, L]], str]
    """``given(run)``: first line of a run in words."""
    who: str
    """The part that reaches a violation: ``the thread``."""
    around: str
    """Size of the group in a run: ``1 consumer``."""
    called: str
    """Name of the compared subject: ``pull requests``."""
    counted: str
    """Phrase after a number of actions: ``with pull requests``."""
    state: str
    """What the compared states are: ``a queue's pull requests``."""
    observes: str | Callable[[Run[S, L]], str] = "The run is inspected"
    """Sentence about the moment at which a time limit is violated."""
    plural: bool = False
    """Whether ``who`` is a plural."""
    table: str = ""
    """Sentence about the columns of the claims' table, if they are not clients."""
    answer: Answer[S, L] | None = None
    code: str = "the client's code"
    """The code that is compared with the terms."""
    parties: tuple[str, ...] = ("client",)
    """Parties in display order; the first one owns the variables that declare no party."""
    limits: Callable[[Run[S, L]], Mapping[str, Any]] = lambda run: {"limits": vars(run.limits)}
    """``limits(run)``: the run's time limits, as fields of results.json."""
    noted: Callable[[Run[S, L], Sequence[S], Sequence[S], int], str] = lambda run, before, after, who: ""
    """``noted(run, before, after, who)``: remark in brackets after copy ``who``'s action.

    The states are those of all copies.
    """
    none: str = ""
    """Sentence that no run violates a claim; empty for one made of ``who``."""
    comes: str = ""
    """Sentence that a run violates a claim, without its length; empty for one made of ``who``."""
    never: Callable[[Any], str] | None = None
    """``never(world)``: like ``none``, for a comparison of a claim with explored runs."""

    @property
    def reaches(self) -> str:
        """Return the beginning of a sentence about a reached state."""
        return f"{self.who} {'reach' if self.plural else 'reaches'}"

    @property
    def reaches_not(self) -> str:
        """Return the beginning of a sentence about a state that is not reached."""
        return f"{self.who} {'do' if self.plural else 'does'} not reach"


@dataclass(frozen=True, eq=False)
class Page(Generic[S, C, L, K]):
    """A machine with everything that is claimed about it."""

    name: str
    """Name of the kind of claims, and first part of their ids."""
    machine: Machine[S, C, L, K] | None
    """The machine; None if the classes of the clients have machines of their own."""
    clients: Sequence[K]
    guarantees: Guarantees[K, S, L]
    wrong: Mutants[S, C, L, K]
    """Mutants that claims must reject."""
    slips: Mutants[S, C, L, K]
    """Mutants for which it is enough that a proof fails."""
    examples: L | None
    """Limits in counterexamples, in ms; None to use those of the search."""
    search: Search[L] | Callable[[Any], Search[L]]
    """Settings of searches, or a function of the assumptions that returns them."""
    compared: Compared[L] | Callable[[K], Compared[L]]
    """States in which code and terms are compared, or a function of the client that returns them."""
    words: Words[S, L, K]
    scopes: tuple[str, str]
    """Scopes of claims that hold, and of claims that do not."""
    rely: Rely[S, L] | None = None
    """What consumers rely on about each other; None if the machine has one copy."""
    mixed: Mixed[K] | None = None
    facts: Sequence[Fact] = ()
    shown: Recorded[S, L] | None = None
    """How the actions show in a recording; None if no recording is followed with the page."""

    def __post_init__(self) -> None:
        for made in {type(client) for client in self.clients}:
            made.wrong = self.wrong
            if self.machine:
                made.machine = self.machine
        if not callable(self.search):
            self._ending(self.search)

    def searching(self, world: Any) -> Search[L]:
        """Return the settings of searches under these assumptions."""
        return self._ending(self.search(world)) if callable(self.search) else self.search

    def _ending(self, search: Search[L]) -> Search[L]:
        """Return the settings. Raises ``UsageError`` if an exploration would not end because time always passes."""
        for state in {client.machine.state for client in self.clients}:
            known = variables(state)
            if "now" in known and not search.end and not any(one.relative for one in known.values()):
                raise UsageError(
                    f"the page {self.name!r} has a clock, and its explorations do not end; give its search the last "
                    "tick to explore, such as Search(..., end=6)"
                )
        return search

    def comparing(self, client: K) -> Compared[L]:
        """Return the states in which the client's code and terms are compared."""
        return self.compared(client) if callable(self.compared) else self.compared

    @cached_property
    def properties(self) -> Mapping[str, Mapping[str, Property[S, L]]]:
        """Properties by client name, and by guarantee name."""
        return {client.name: self.guarantees.of(client) for client in self.clients}
