"""The public functions: each returns the document that a command prints with ``--json``.

They print nothing. For wrong input they raise ``UsageError``, whose message is the sentence that the command prints.
Each function imports what it needs when it is called. The JSON schemas in ``report/schema/`` explain the documents.
"""

import asyncio
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import wraps
from importlib.machinery import ModuleSpec
from inspect import Parameter, signature
from math import inf
from numbers import Integral, Real
from os import PathLike, fspath
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from rebalance_proofs import ranges
from rebalance_proofs.documents import Audit, Check, Explanation, Judgement, Shares
from rebalance_proofs.errors import UsageError
from rebalance_proofs.language import english

Result = TypeVar("Result")
Given = ParamSpec("Given")
RANGES: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "jobs": ranges.JOBS,
        "lasted": (0, inf),
        "limit": ranges.LIMIT,
        "memory_mb": ranges.MEMORY_MB,
        "seconds": ranges.SECONDS,
        "seed": ranges.SEED,
        "timeout": ranges.TIMEOUT,
        "tolerate": (0, inf),
    }
)
"""Argument -> its least and greatest value, for arguments that only the options of the commands check."""
NOT_EMPTY = ("brokers", "holds", "ids", "solvers", "topics")
"""Arguments that must not be empty lists."""


def _checked(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Make a function check its arguments. It raises ``UsageError`` for a wrong type, an empty list or a wrong number.

    The function gets lists, dictionaries and Python's numbers, also for those of numpy or a set.
    """
    asked = signature(function)

    @wraps(function)
    def checked(*args: Given.args, **kwargs: Given.kwargs) -> Result:
        bound, hints = asked.bind(*args, **kwargs), get_type_hints(function)
        for name, value in bound.arguments.items():
            if asked.parameters[name].kind is Parameter.VAR_POSITIONAL:
                bound.arguments[name] = tuple(_argument(name, one, hints[name]) for one in value)
            else:
                bound.arguments[name] = _argument(name, value, hints[name])
        return function(*bound.args, **bound.kwargs)

    return checked


def _argument(name: str, value: object, hint: Any) -> Any:
    """Return an argument's value, as ``_plain`` does. Raises ``UsageError``."""
    try:
        found = _plain(value, hint)
    except TypeError:
        raise UsageError(f"{name}: {value!r} is of type {type(value).__name__}; give {_words(hint)}") from None
    if name in NOT_EMPTY and found in ([], {}):
        raise UsageError(f"{name}: the list is empty; leave it out for the default")
    if name in RANGES and found is not None:
        least, most = RANGES[name]
        if not least <= found <= most:
            upper = "or more" if most == inf else f"to {most}"
            raise UsageError(f"{name}: {found} is out of range; give {least} {upper}")
    return found


def _plain(value: object, hint: Any) -> Any:
    """Return the value as a list, a dictionary or a number of Python's, as its type asks. Raises ``TypeError``.

    A text instead of a list stands for the list of that text. A flag is no number.
    """
    kind, inner = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, UnionType):
        for one in inner:
            with suppress(TypeError):
                return _plain(value, one)
    elif kind is Mapping:
        if isinstance(value, Mapping):
            return {_plain(name, inner[0]): _plain(one, inner[1]) for name, one in value.items()}
    elif kind is Sequence:
        every = [value] if isinstance(value, str) else value
        if isinstance(every, Collection) and not isinstance(every, bytes | Mapping):
            return [_plain(one, inner[0]) for one in every]
    elif kind in (int, float):
        if isinstance(value, Integral if kind is int else Real) and not isinstance(value, bool):
            return kind(value)
    elif isinstance(value, kind):
        return value
    raise TypeError


def _words(hint: Any) -> str:
    """Return a type as in the function's signature: ``int | None``."""
    words = hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)
    return words.replace("collections.abc.", "").replace("os.", "")


@english()
@_checked
def allocate(
    strategies: Sequence[str] = (),
    *,
    queues: int | None = None,
    topics: Mapping[str, int] | None = None,
    brokers: int | Sequence[str] | Mapping[str, int] | None = None,
    consumers: int | None = None,
    ids: Sequence[str] | None = None,
    sees: Mapping[str, Sequence[str]] | None = None,
    knows: Mapping[str, int] | None = None,
    subscribe: Mapping[str, Sequence[str]] | None = None,
    rooms: Sequence[str] = (),
    config: Mapping[str, Sequence[int]] | None = None,
    java: Sequence[str] = (),
    classpath: str | None = None,
    arguments: Sequence[str] = (),
) -> Shares:
    """Divide a group's queues, as ``rebalance shares`` does.

    ``strategies``: names of RocketMQ's or Kafka's, or your own, such as ``mine.py:allocate``; ``java``: your own Java
    classes. By default, four consumers divide one topic with eight queues, under avg, circle and hash. ``topics``:
    numbers of queues by topic; ``brokers``: their number or names, or numbers of queues by name.
    ``sees``, ``knows``, ``subscribe``, ``config``: by client id, as the options of the command.
    """
    from rebalance_proofs.report.shares import answer, described
    from rebalance_proofs.report.shares.document import document

    known, mine = answer.named_strategies(strategies, bool(java))
    members = described.members(ids, consumers)
    each: Mapping[str, int | None]
    if isinstance(brokers, Mapping):
        each = dict(brokers)
    elif brokers is None or isinstance(brokers, int):
        each = described.numbered(brokers, room=brokers is None and answer.reads_rooms(known))
    else:
        each = dict.fromkeys(described.different("--brokers", brokers))
    for option, views in (("--sees", sees), ("--knows", knows), ("--subscribe", subscribe), ("--config", config)):
        for name in views or ():
            if name not in members:
                raise described.unknown_member(option, name, members)
    group = answer.group(
        described.spread(queues, each, [*(topics or {}).items()]),
        members,
        sees or {},
        {member: [str(number)] for member, number in (knows or {}).items()},
        subscribe or {},
        rooms,
    )
    places = {member: [*map(str, positions)] for member, positions in (config or {}).items()}
    return document(answer.divide(group, known, mine, places, java, classpath, tuple(arguments)))


@english()
@_checked
def audit(
    *paths: str | PathLike[str],
    group: str = "",
    topic: str = "",
    begin: str = "",
    end: str = "",
    zones: Mapping[str, int] | None = None,
    clocks: Mapping[str, int] | None = None,
    tolerate: int = 1_000,
    client: str = "",
    strategy: str = "",
    model: bool = False,
    never: Sequence[str] | None = None,
    allowed: Mapping[str, int] | None = None,
    master: str | None = None,
) -> Audit:
    """Reconstruct queue ownership from logs, as ``rebalance audit`` does; times are in ms.

    ``paths``: files, folders or globs. ``zones``: time zones of files, ahead of UTC; "" stands for all files.
    ``clocks``: by file, the time by which its clock is ahead. ``never`` and ``allowed``: kinds of findings, and the
    durations up to which they are accepted. ``master``: address of a Spark, which also reads logs above 100 MB.
    """
    from rebalance_proofs.report.audit.document import document
    from rebalance_proofs.report.audit.read import Request, kind, moment, read

    if not paths:
        raise UsageError("no file or folder is given; name the logs")
    request = Request(
        [fspath(one) for one in paths],
        group,
        topic,
        moment(begin) if begin else "",
        moment(end) if end else "",
        [*(zones or {}).items()],
        [*(clocks or {}).items()],
        tolerate,
        client,
        strategy,
        model,
        None if never is None else [*map(kind, never)],
        [(kind(name), ms) for name, ms in (allowed or {}).items()],
        master,
    )
    with read(request) as found:
        return document(found.answer)


@english()
@_checked
def check(
    strategy: str,
    *,
    java: bool = False,
    classpath: str | None = None,
    arguments: Sequence[str] = (),
    holds: Sequence[str] | None = None,
    same_as: str | None = None,
    group: str | None = None,
    prove: bool = False,
    owner: str | None = None,
    vary: str | None = None,
    guarantee: str | None = None,
    variables: Sequence[str] = (),
    consumers: int | None = None,
    queues: int | str | PathLike[str] | None = None,
    brokers: str | PathLike[str] | None = None,
    ids: str | PathLike[str] | None = None,
    consumer_group: str | None = None,
    sample: bool = False,
    seconds: float = 20.0,
    thorough: bool = False,
    master: str | None = None,
    jobs: int = 1,
    limit: float = 2.0,
    memory_mb: int = 1024,
) -> Check:
    """Check a user-defined strategy, as ``rebalance check`` does.

    ``strategy``: a Python function or object, such as ``mine.py:allocate``; with ``java``, a class. The arguments are
    the options of the command, by their names; ``guarantee`` is ``--property``, and ``variables`` are those of
    ``--env``. ``queues``, ``brokers`` and ``ids`` are paths of files with names; ``queues`` can be a number.
    """
    from rebalance_proofs.model.own.call import Limits
    from rebalance_proofs.report.own.check import Check as Checking
    from rebalance_proofs.report.own.check import Request
    from rebalance_proofs.report.own.page import document

    request = Request(
        strategy,
        java,
        classpath,
        tuple(arguments),
        None if holds is None else ",".join(holds),
        same_as,
        group,
        prove,
        owner,
        vary,
        guarantee,
        tuple(variables),
        consumers,
        queues if queues is None or isinstance(queues, int) else Path(queues),
        None if brokers is None else Path(brokers),
        None if ids is None else Path(ids),
        consumer_group,
        sample,
        seconds,
        thorough,
        master,
        jobs,
        Limits(limit, memory_mb),
    )
    checking = Checking(request)
    return document(_apart(checking.run) if prove else checking.run())


@english()
@_checked
def explain(
    about: str = "",
    *,
    after: str | None = None,
    reach: str | None = None,
    over: bool | None = None,
    lasted: int | None = None,
    client: str = "",
    mode: str = "",
    strategy: str = "",
    files: Sequence[str | PathLike[str]] = (),
) -> Explanation:
    """List likely causes of a symptom, as ``rebalance why`` does.

    ``about``: a symptom, a log line, an exception, output of mqadmin, or a description. ``after``, ``reach``, ``over``
    and ``lasted`` (in ms) are ``--after``, ``--queues``, ``--over`` and ``--for``. ``files``: pasted texts or logs.
    """
    from rebalance_proofs.report.symptoms.cause import After, Facts, Reach, fact
    from rebalance_proofs.report.symptoms.explained import read

    facts = Facts(fact(After, after), fact(Reach, reach), over, lasted)
    return read(about, facts, client, mode, strategy, tuple(map(Path, files))).of_one().answer().document()


@english()
@_checked
def judge(
    claim: str, *, solvers: Sequence[str] = ("z3", "cvc5"), timeout: float = 20.0, jobs: int = 1, seed: int = 0
) -> Judgement:
    """Prove or refute one claim with the solvers, as ``rebalance show`` does.

    ``claim``: an id from ``rebalance list``. ``timeout``: CPU seconds for each query. ``seed``: for the random sizes
    of the vacuity checks.
    """
    from rebalance_proofs.proofs.ledger import only
    from rebalance_proofs.proofs.prove import Options, prove
    from rebalance_proofs.proofs.solvers import SOLVERS
    from rebalance_proofs.report.json_claim import claim as document

    unknown = sorted({*solvers} - {*SOLVERS})
    if unknown:
        raise UsageError(f"{', '.join(unknown)} is no solver; name {' or '.join(SOLVERS)}")
    one = only(claim)
    options = Options(tuple(solvers), jobs, timeout, seed=seed)
    (result,) = _apart(lambda: asyncio.run(prove([one], options)))
    return document(result)


def _apart(work: Callable[[], Result]) -> Result:
    """Return the result of work that runs solvers, in a thread: the caller's can have an event loop, as in a notebook.

    Solvers are processes. They would import the caller's main module, which may call this function again.
    """
    main = sys.modules["__main__"]
    before, main.__spec__ = main.__spec__, ModuleSpec("rebalance_proofs.__main__", None)
    try:
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(work).result()
    finally:
        main.__spec__ = before
