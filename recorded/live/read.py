"""Read scenarios from TOML files: those in this package, and the user's."""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from rebalance_proofs.recorded.groups.record import Value, as_record
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.live.scenario import Member, Scenario, Send
from rebalance_proofs.recorded.live.step import STEPS, Step, Together
from rebalance_proofs.recorded.live.valid import check
from rebalance_proofs.recorded.pipes import content
from rebalance_proofs.recorded.rows import quoted

# Write scenarios as TOML, to run them again or to change them.


def text(scenario: Scenario) -> str:
    """Return a scenario as the text of a TOML file, without default values.

    ``read.scenario`` parses it again.
    """
    lines = []
    for name, value in _said(scenario).items():
        if name not in ("name", "members", "steps"):
            lines.append(f"{name} = {_value(value)}")
    lines.append("steps = [")
    lines += [f"  {_value(step)}," for step in scenario.steps]
    lines += ["]", "", "[members]"]
    lines += [f"{name} = {_value(member)}" for name, member in scenario.members.items()]
    return "\n".join(lines) + "\n"


def _said(record: Step | Member | Send | Scenario) -> dict[str, Any]:
    """Return the fields that differ from their defaults, by their names in a scenario file."""
    return {
        each.name.rstrip("_"): getattr(record, each.name)
        for each in fields(record)
        if getattr(record, each.name) != _default(each)
    }


def _default(each: Field[Any]) -> object:
    return each.default_factory() if each.default_factory is not MISSING else each.default


def _value(value: object) -> str:
    match value:
        case Step():
            return _written_table({"do": value.do, **_said(value)})
        case Member() | Send():
            return _written_table(_said(value))
        case Mapping():
            return _written_table(value)
        case tuple() | list():
            return f"[{', '.join(map(_value, value))}]"
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case _:
            return repr(value)


def _written_table(found: Mapping[str, object]) -> str:
    inside = ", ".join(f"{_key(key)} = {_value(value)}" for key, value in found.items())
    return f"{{ {inside} }}" if inside else "{}"


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _text(key)


def _text(text: str) -> str:
    """Return a TOML string: as in JSON, but without surrogate pairs and with DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")


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
