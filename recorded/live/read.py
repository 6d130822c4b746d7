"""Read scenarios from TOML files: those in this package, and the user's."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from rebalance_proofs.recorded.groups.record import Value, as_record
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.scenario import Member, Scenario, Send
from rebalance_proofs.recorded.live.step import STEPS, Step, Together
from rebalance_proofs.recorded.live.valid import check
from rebalance_proofs.recorded.pipes import content
from rebalance_proofs.recorded.rows import quoted

FOLDER = Path(__file__).resolve().parent / "scenarios"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
"""Pattern of valid names of consumers and scenarios, which become file names and options."""


def names() -> tuple[str, ...]:
    """Return the names of the scenarios in this package."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def own(name: str) -> Scenario:
    """Return a scenario of this package by its name. Raises ``LiveError`` for an unknown name."""
    if name not in names():
        raise LiveError(
            f"unknown scenario {name!r}; `rebalance record` lists the scenarios, and --scenario FILE runs your own"
        )
    return load(FOLDER / f"{name}.toml")


def load(path: Path) -> Scenario:
    """Return the scenario in a file, named after the file. Raises ``LiveError``."""
    try:
        text = b"".join(content(path)).decode("utf-8")
    except OSError as error:
        raise LiveError(f"cannot read {str(path)!r}: {error.strerror}") from error
    except UnicodeDecodeError:
        raise LiveError(f"cannot read {str(path)!r}: it is not UTF-8 text") from None
    try:
        return scenario(tomllib.loads(text), path.stem)
    except tomllib.TOMLDecodeError as error:
        raise LiveError(f"cannot read {str(path)!r}: it is not TOML: {error}") from None
    except ValueError as error:
        raise LiveError(f"{str(path)!r}: {error}") from None


def scenario(found: Mapping[str, Value], name: str) -> Scenario:
    """Return the scenario in a parsed TOML document.

    Raises ``ValueError``, whose text is a sentence.
    """
    if not NAME.fullmatch(name):
        raise ValueError(f"the name {quoted(name)} may contain only letters, digits and _, because it names folders")
    rest = dict(found)
    defaults, members, send, steps = (rest.pop(key, None) for key in ("member", "members", "send", "steps"))
    made = as_record(
        Scenario,
        rest,
        "the scenario",
        name=name,
        members=_members(_table(defaults, "member"), _table(members, "members")),
        send=as_record(Send, _table(send, "send"), '"send"'),
        steps=_steps(steps, "steps"),
    )
    check(made)
    return made


def _table(found: Value, what: str) -> dict[str, Value]:
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError(f'"{what}" is {quoted(found)}, not a table')
    return found


def _members(defaults: dict[str, Value], found: dict[str, Value]) -> dict[str, Member]:
    made = {}
    for name, options in found.items():
        if not NAME.fullmatch(name):
            raise ValueError(f"the member's name {quoted(name)} may contain only letters, digits and _")
        made[name] = as_record(Member, defaults | _table(options, name), f"the member {name}")
    return made


def _steps(found: Value, what: str) -> tuple[Step, ...]:
    if not isinstance(found, list) or not found:
        raise ValueError(f'"{what}" must be a list of steps, such as {{ do = "join", of = "c0", then = 20 }}')
    return tuple(_step(each, f"step {number} of {what}") for number, each in enumerate(found, 1))


def _step(found: Value, what: str) -> Step:
    if not isinstance(found, dict) or "do" not in found:
        raise ValueError(f'{what} is {quoted(found)}, which is not a step, because it has no "do"')
    rest = dict(found)
    kind = STEPS.get(str(rest.pop("do")))
    if kind is None:
        raise ValueError(f"{what} has the unknown action {quoted(found['do'])}; the actions are {', '.join(STEPS)}")
    if kind is not Together:
        return as_record(kind, rest, what)
    lanes = rest.pop("lanes", None)
    if not isinstance(lanes, list) or not lanes:
        raise ValueError(f'{what} needs "lanes", a list of lists of steps')
    return as_record(
        kind, rest, what, lanes=tuple(_steps(lane, f"lane {number}, {what}") for number, lane in enumerate(lanes, 1))
    )
