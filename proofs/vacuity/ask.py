"""Vacuity check of an obligation, decided by the solvers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from rebalance_proofs.model.terms import smt
from rebalance_proofs.model.terms.kernel import compile_exact
from rebalance_proofs.proofs.limit import stepwise
from rebalance_proofs.proofs.mutation.free import freed
from rebalance_proofs.proofs.obligation import Obligation
from rebalance_proofs.proofs.question import Question
from rebalance_proofs.proofs.smt.text import symbol
from rebalance_proofs.proofs.solvers import Answer, Outcome
from rebalance_proofs.proofs.solvers.pool import Pool
from rebalance_proofs.proofs.texts import labelled_text
from rebalance_proofs.proofs.vacuity.goals import Draw, VacuityCheck, goals

# Goals of the vacuity check that obligations exclude on purpose, each with the reason.
# The list may only become shorter. An assumption that excludes any other goal makes a claim VACUOUS. Keys are names
# of obligations, and goals of ``proofs.vacuity.goals``; the reasons follow from the obligations' sentences.

THROWN = ("thrown_removing = 1", "thrown_adding = 1", "thrown_ever = 1")
SHIPPED = ", with the client's own stores"
LOGGED = "the client's own stores log what fails, and throw nothing"


def _all(why: str, *excluded: str) -> dict[str, str]:
    return dict.fromkeys(excluded, why)


EMPTY = _all("the ring is empty", "found = 1")
BOTH_EMPTY = _all("both rings are empty", "found = 1", "found2 = 1")
NOT_EMPTY = _all("the ring has at least one node", "found = 0")
BOTH_FULL = _all("both rings name a node", "found = 0", "found2 = 0")
SAME_NODE = _all("both rings name the same node", "x and x2 apart", "o and o2 apart")
NO_STRAYS = "the inner strategy returns only queues of its list"
IN_FRONT = _all("i comes before j", "i far above j")
ALIVE = _all("a consumer of the queue's room takes it", "own and room apart", "alive = 0", "near = 0")

NARROW: Mapping[str, Mapping[str, str]] = {
    "attained.step": _all("each topic has one queue", "t and s apart")
    | _all("the first has all of them", "t and x apart", "s and x apart")
    | _all("the last has none", "y beyond the bound"),
    "changed": _all("the method throws nothing", *THROWN, *(goal + SHIPPED for goal in THROWN)),
    "exclusive": _all(NO_STRAYS, "stray_i = 1", "stray_j = 1"),
    "exclusive-unlisted": _all("i is listed", "listed_i = 0"),
    "exclusive-unsubscribed": _all("i subscribes", "reads_i = 0"),
    "unread": _all("i does not subscribe", "reads_i = 1"),
    "unlisted": _all("it is about consumers that have an id and are not in cidAll", "named = 0", "listed = 1"),
    "far-owner": _all("the queue's room has no consumer", "alive = 1")
    | _all("the inner strategy gives the queue to i", "everywhere = 0"),
    "near-owner": ALIVE,
    "home": ALIVE | _all(NO_STRAYS, "stray = 1"),
    "filter.base": _all(
        "it is the start of the induction", "last beyond the bound", "p beyond the bound", "last and p apart"
    ),
    "held": _all("the queue is this consumer's", "in_set = 0"),
    "kept-all": _all("p is selected", "kept = 0"),
    "kept-only": _all("in the encoding, a consumer takes only selected queues", "kept = 0"),
    "rank.base": _all("next is at most one greater", "r and next apart"),
    "rank.step": _all("next is at most one greater", "s and next apart"),
    "level.step": _all("so far they differ by at most one", "x and y apart"),
    "lower": _all("this order is the conclusion", "j far above i"),
    "higher": _all("this order is the conclusion", "i far above j"),
    "lowest-first.base": IN_FRONT,
    "lowest-first.step": IN_FRONT,
    "owner.base": EMPTY,
    "owner.step": NOT_EMPTY,
    "nearest.base": EMPTY,
    "nearest.step": NOT_EMPTY,
    "nearest.unique": SAME_NODE,
    "successor.base": EMPTY,
    "successor.step": NOT_EMPTY,
    "same.base": BOTH_EMPTY,
    "part.base": BOTH_EMPTY,
    "part.takes": BOTH_FULL | SAME_NODE | _all("i is the owner", "i and o apart", "i and o2 apart"),
    "join.base": BOTH_EMPTY,
    "join.step-joiner": _all("the node belongs to the joining consumer", "j and k apart"),
    "join.only-takes": BOTH_FULL | SAME_NODE | _all("i is the owner", "o and i apart", "o2 and i apart"),
    "joins.base": BOTH_EMPTY,
    "joins.only-takes": BOTH_FULL
    | SAME_NODE
    | _all("i is the owner", "o and i apart", "o2 and i apart")
    | _all("i did not join, and j is the first joining consumer", "i far above j"),
}


def narrow(subject: str, name: str) -> Mapping[str, str]:
    """Return the goals that an obligation may exclude, with the reasons.

    ``subject`` is the strategy or client, ``name`` the obligation's name.
    """
    told = NARROW.get(name, {})
    if not subject.startswith("java"):
        return told
    rounds = (*THROWN, *(goal.replace(" = ", "_again = ") for goal in THROWN))
    return {**dict.fromkeys((goal + SHIPPED for goal in rounds), LOGGED), **told}


FLAG = "goal: "
BY_THE_ENCODING = "the encoding excludes this case, and no assumption does: unknown functions in its place allow it"


async def width(subject: str, obligation: Obligation, encoding: object, pool: Pool, draw: Draw) -> VacuityCheck | None:
    """Find the goals (required cases) that models of the obligation's assumptions meet.

    ``subject`` names the encoding's owner: ``avg``, ``java_v5_2``. Random sizes are tried one after another, until
    only goals are left that may be excluded. Returns None for an obligation without numbers.
    """
    if obligation.abstract:
        return None
    key = ("width", subject, obligation, draw)
    what = f"{obligation.name}: vacuity check"
    return await pool.shared(key, lambda: stepwise(what, _width(subject, obligation, encoding, pool, draw)))


async def _width(subject: str, obligation: Obligation, encoding: object, pool: Pool, draw: Draw) -> VacuityCheck:
    wanted = _goals(obligation, draw.bound)
    reasons = narrow(subject, obligation.name)
    met: set[str] = set()
    excluded: set[str] = set()
    asked: list[_Sized] = []
    for fixed in draw.fixed(obligation.variables):
        missing = tuple(name for name in wanted if name not in met)
        one = await _at(obligation, encoding, pool, draw.bound, fixed, missing)
        met |= one.met
        excluded |= one.excluded
        asked.append(one)
        left = [name for name in wanted if name not in met]
        if all(name in excluded and name in reasons for name in left):
            break
    reasons = dict(reasons)
    unpinned = tuple(name for name in left if name in excluded and name not in reasons)
    if unpinned:
        whatever = await _at_whatever(obligation, encoding, pool, draw, unpinned)
        reasons |= dict.fromkeys(whatever, BY_THE_ENCODING)
    return VacuityCheck(
        met=tuple(name for name in wanted if name in met),
        excluded={name: reasons.get(name, "") for name in left if name in excluded},
        open=tuple(name for name in left if name not in excluded),
        question=Question(f"{obligation.name}.width", asked[-1].text, asked[-1].answers),
        sizes=tuple(one.fixed for one in asked),
    )


async def _at_whatever(
    obligation: Obligation, encoding: object, pool: Pool, draw: Draw, missing: tuple[str, ...]
) -> set[str]:
    """Return those of the goals in ``missing`` that can be met if the encoding is unknown.

    Only the encoding excludes them; no assumption does.
    """
    met: set[str] = set()
    for fixed in draw.fixed(obligation.variables):
        left = [name for name in missing if name not in met]
        if left:
            text = _text(obligation, freed(encoding).encoding, draw.bound, tuple(fixed.items()))
            found = await pool.cover(text, [[FLAG + name] for name in left])
            met |= {name for name in left if FLAG + name not in found.left}
    return met


@dataclass(frozen=True)
class _Sized:
    """The result of the vacuity check at one random size (queues, consumers)."""

    fixed: Mapping[str, int]
    met: frozenset[str]
    excluded: frozenset[str]
    text: str
    answers: tuple[Answer, ...]


async def _at(
    obligation: Obligation,
    encoding: object,
    pool: Pool,
    bound: int,
    fixed: Mapping[str, int],
    missing: tuple[str, ...],
) -> _Sized:
    """Search for models that meet the missing goals, with some variables ``fixed``.

    A model that does not replay is ignored.
    """
    text = _text(obligation, encoding, bound, tuple(fixed.items()))
    found = await pool.cover(text, [[FLAG + name for name in group] for group in _groups(missing)])
    met: set[str] = set()
    for model in found.models:
        values = {**model, **fixed}
        real, *meets = _meant(obligation, encoding, bound)(*(values.get(name, 0) for name in obligation.variables))
        if real:
            met |= {name for name, is_met in zip(_goals(obligation, bound), meets, strict=True) if is_met}
    left = tuple(name for name in missing if name not in met)
    answers: tuple[Answer, ...] = (found.last,)
    excluded = False
    if left and found.last.outcome is Outcome.UNSAT:
        answers = await pool.ask_all(_any_of(text, left))
        excluded = all(answer.outcome is Outcome.UNSAT for answer in answers)
    return _Sized(fixed, frozenset(met), frozenset(left if excluded else ()), text, answers)


@cache
def _goals(obligation: Obligation, bound: int) -> Mapping[str, smt.BoolTerm]:
    return goals(obligation, bound)


@cache
def _text(obligation: Obligation, encoding: object, bound: int, fixed: tuple[tuple[str, int], ...]) -> str:
    """Return the SMT-LIB text of the assumptions, with a Boolean constant for each goal.

    The constant is named like the goal; it is true exactly if the goal is met.
    """
    values = dict(fixed)
    put = [(smt.Int(name), smt.IntVal(value)) for name, value in values.items()]
    named = {
        FLAG + name: smt.Bool(FLAG + name) == smt.substitute(formula, *put)
        for name, formula in _goals(obligation, bound).items()
    }
    drawn = ", ".join(f"{name} = {value}" for name, value in fixed)
    title = f"assumptions of {obligation.name}{f' at {drawn}' if drawn else ''}, and the cases that they must allow"
    return labelled_text(title, dict(obligation.statement(encoding, values).given) | named)


def _groups(wanted: Iterable[str]) -> list[list[str]]:
    """Group goals that exclude each other, such as values of one choice, and modes of use.

    Every other goal is its own group.
    """
    found: dict[str, list[str]] = {}
    for name in wanted:
        choice, equals, _ = name.partition(" = ")
        about = choice if equals else "used as" if name.startswith("used as") else name
        found.setdefault(about, []).append(name)
    return list(found.values())


@cache
def _meant(obligation: Obligation, encoding: object, bound: int) -> Callable[..., tuple[int | bool, ...]]:
    """Return a function that evaluates the assumptions and goals at values of the variables.

    It returns whether the values are a model, and which goals they meet.
    """
    given = smt.And(list(obligation.statement(encoding).given.values()))
    return compile_exact(obligation.variables, given, *_goals(obligation, bound).values())


def _any_of(text: str, names: tuple[str, ...]) -> str:
    asked = " ".join(symbol(FLAG + name) for name in names)
    return text.replace("(check-sat)", f"(assert (or {asked} false))\n(check-sat)")
