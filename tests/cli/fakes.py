"""Small stand-ins for what exit statuses are computed from: runs, checks, traces, recordings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from types import SimpleNamespace as Of
from typing import Any

from rebalance_proofs.proofs.certificates.terms import Refused

DEBUG = ["--debug"]


def raising(error: BaseException) -> Callable[..., Any]:
    """Return a function that raises an error."""

    def function(*_: Any, **__: Any) -> Any:
        raise error

    return function


def row(name: str, world: str = "agreed") -> Of:
    """A row of a check."""
    return Of(name=name, world=Of(name=world))


def space(groups: int = 2, expected: int = 2, unjudged: int = 0, cut: bool = False) -> Of:
    """The results of a check in one set of groups."""
    return Of(tried=Of(groups=groups, unjudged=unjudged), expected=expected, cut=cut)


def held(smallest: object, *found: Of) -> Mapping[str, Any]:
    """A row with its smallest broken group, and the results that decide."""
    return {"self": Of(smallest=smallest, deciding=found)}


def named(*spaces: tuple[bool, int]) -> Mapping[str, Any]:
    """A check with sets of named groups, each with whether the ids are given, and the number of tried groups of 2."""
    found = [Of(space=Of(names=Of(ids_given=given)), tried=Of(groups=groups), expected=2) for given, groups in spaces]
    return {"NamedSpace": Of, "self": Of(named=[*found, Of(space="of no names")])}


def run(**values: Any) -> Mapping[str, Any]:
    """A run, complete and without results."""
    fields: dict[str, Any] = {
        **{"claims": (), "enumerated": None, "conformance": None, "self_tests": (), "required": (), "certified": None},
        **{"complete": True, "unfinished": "", "judged_wrong": (), "unfounded": ()},
    }
    return {"failures": list, "self": Of(**fields | values)}


def swept(*unexpected: str, findings: Sequence[Sequence[str]] = ()) -> Of:
    """Results of an enumeration; the failures of each finding are the finding."""
    return Of(findings=findings, unexpected=unexpected)


def before(
    failing: bool = True, listed: bool = True, as_expected: bool = False, state: str = "REFUTED"
) -> Mapping[str, Any]:
    """A claim in a baseline, and in this run."""
    then = Of(as_expected=as_expected, state="REFUTED")
    return {
        **{"then": then if listed else None, "result": Of(claim=Of(id="a")), "failures": lambda _: ["a"] * failing},
        **{"judged": lambda _: Of(state=state)},
    }


class Failures(list[str]):
    """Failures of a claim, which an enumeration also contradicts."""

    claim = Of(id="a")
    contradictions = ("it is broken",)


def verdict(green: bool, *contradictions: str, reason: str = "why") -> Mapping[str, Any]:
    """A claim's result."""
    claim = Of(id="a", expected="PROVED")
    return {"result": Of(claim=claim, green=green, verdict="REFUTED", reason=reason, contradictions=contradictions)}


def file(**values: Any) -> Mapping[str, Any]:
    """The result of comparing one file."""
    fields = {"file": "avg.tsv", "lacking": (), "malformed": (), "disagreements": ()}
    return {"self": Of(**fields | values)}


def certificate(size: int = 1, text: str = "a", error: Exception | None = None) -> Mapping[str, Any]:
    """A certificate and its formula in a folder."""

    def read(**_: str) -> str:
        if isinstance(error, OSError):
            raise error
        return text

    file = Of(name="f", stat=lambda: Of(st_size=size), read_text=read)
    return {
        **{"stem": Of(name="f", with_suffix=lambda suffix: file), "text": "a", "formulas": str, "LARGEST": 1},
        **{"check": raising(error) if isinstance(error, Refused) else lambda *_: None},
    }


def trace(
    differs: str = "", stopped: str = "", states: int = 1, sentence: str = "two owners", again: bool = True
) -> Mapping[str, Any]:
    """A trace of one state, and what its replay gives."""
    ran = Of(example=Of(sentence=sentence), stopped=stopped)
    kind = Of(again=Of(run=lambda *_: ran) if again else None, states=lambda *_: [{}] * states)
    return {
        **{"trace": Of(claim=Of(kind="", id=""), replay=None, steps=None, states=[{}]), "shown": lambda _: kind},
        **{"_differs": lambda *_: differs, "_named": lambda *_: "it", "Held": lambda _, __, wrong: wrong},
    }


def moved(
    allowed: bool = True,
    differs: Sequence[str] = ("", ""),
    refused: str = "",
    bad: bool = True,
    ends: bool = True,
    flags: bool = True,
) -> Mapping[str, Any]:
    """A group's trace of one move. ``flags``: its bad state is one of a queue, else one without a next state."""
    first, last = Of(queues=[], members=[0]), Of(queues=[], members=[1])
    plain = Of(start=first, after=lambda *_: last if allowed else None, numbers=None)
    plain.following = lambda state: [] if ends == (state is last) else [state]
    found = Of(model=None, moves=["joins"], states=[0, 1], watch=Of(wrong=flags))
    return {
        **{"found": found, "Plain": lambda _: plain, "_Code": lambda *_: Of(does=lambda *_: refused, walks=0)},
        **{"state_of": lambda _, __, members, ___: members, "_read": lambda told: told},
        **{"different": lambda told, here, by: iter(filter(None, [differs[here[0]]]))},
        **{"_so": lambda _, state: [1] * (bad == (state is last)), "_quoted": lambda _: "it"},
        **{"Gone": lambda been, queues=(), wrong="", walks=0: wrong},
    }


class Quiet:
    """A reporter that prints nothing."""

    def __enter__(self) -> Of:
        return Of(line=lambda _: None)

    def __exit__(self, *_: object) -> None:
        """Do nothing."""


class _Pool:
    """Does each step at once."""

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(function(*arguments))
        return done

    def shutdown(self, **_: Any) -> None:
        """Do nothing."""


SILENT = {
    "signal": Of(signal=lambda *_: None, SIGTERM=15),
    "ThreadPoolExecutor": lambda _: _Pool(),
    "INTERRUPTED": 130,
}


def measured(*right: bool, error: Exception | None = None) -> Mapping[str, Any]:
    """A measurement of one release, whose steps have these outcomes."""

    def steps(_: str) -> Iterator[Any]:
        if error:
            raise error
        yield from right

    known = {"5.3.3": Of(reason="", jar=None)}
    measure = Of(steps=steps, results=known, commands=Of(end=lambda: None))
    return SILENT | {
        **{"measure": measure, "releases": ["5.3.3"], "jobs": 1, "_do": lambda step: ("", step)},
        **{"as_completed": list},
    }


def scheduled(*right: bool, error: Exception | None = None) -> Mapping[str, Any]:
    """A plan of schedules, with what judges say of them."""
    record = raising(error) if error else lambda one: one
    runner = Of(record=record, commands=Of(end=lambda: None), table=Of(summary=list))
    one = Of(release="", name="")
    return SILENT | {
        **{"runner": runner, "plan": [one for _ in right] or [one], "_judge": lambda *_: next(answers)},
        **{"answers": (answers := iter(right))},
    }


def judged(
    rejected: Sequence[str] = (),
    unexplained: int = 0,
    contradicted: Mapping[str, int] | None = None,
    error: Exception | None = None,
) -> Mapping[str, Any]:
    """One judged schedule."""
    row = Of(release="", name="", rejected=rejected, unexplained=unexplained, contradicted=contradicted)
    runner = Of(judged=raising(error) if error else lambda _: row)
    return SILENT | {"runner": runner, "of": row, "_told": lambda _: ""}


def main(status: int | BaseException, arguments: object = DEBUG, by: object = None) -> Mapping[str, Any]:
    """A call of the command line that ends with this status."""
    streams = {"stdout": Of(flush=lambda: None), "stderr": Of(flush=lambda: None)}
    silent = Of(addHandler=raising(SystemExit("libraries are silent")))
    return {
        **{
            "arguments": arguments,
            "_status": raising(status) if isinstance(status, BaseException) else lambda _: status,
        },
        **{"ENDING": Of(reset=lambda: None, by=by), "guarded": nullcontext, "_say": exits},
        **{"logging": Of(getLogger=lambda: silent, NullHandler=lambda: None)},
        **{"sys": Of(argv=["rebalance", *DEBUG], exit=exits, **streams)},
    }


def exits(status: object) -> None:
    """End the process."""
    raise SystemExit(status)


def called(status: int | BaseException | None, *arguments: str) -> Mapping[str, Any]:
    """A call of click's command that returns or raises this."""

    def call(*_: object, **__: object) -> int | None:
        if isinstance(status, BaseException):
            raise status
        return status

    return {
        **{"arguments": arguments, "cli": Of(main=call), "_complain": lambda error: type(error).__name__},
        **{"traceback": Of(print_exc=raising(SystemExit("the stack trace")))},
    }
