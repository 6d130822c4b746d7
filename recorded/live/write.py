"""Write scenarios as TOML, to run them again or to change them."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from typing import Any

from rebalance_proofs.recorded.live.scenario import Member, Scenario, Send
from rebalance_proofs.recorded.live.step import Step


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
            return _table({"do": value.do, **_said(value)})
        case Member() | Send():
            return _table(_said(value))
        case Mapping():
            return _table(value)
        case tuple() | list():
            return f"[{', '.join(map(_value, value))}]"
        case bool():
            return str(value).lower()
        case str():
            return _text(value)
        case _:
            return repr(value)


def _table(found: Mapping[str, object]) -> str:
    inside = ", ".join(f"{_key(key)} = {_value(value)}" for key, value in found.items())
    return f"{{ {inside} }}" if inside else "{}"


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _text(key)


def _text(text: str) -> str:
    """Return a TOML string: as in JSON, but without surrogate pairs and with DEL escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", r"\u007f")
