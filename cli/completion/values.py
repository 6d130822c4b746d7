"""Parameter types that complete claims, clients, strategies, scenarios and other names."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

import click
from click.shell_completion import CompletionItem

from rebalance_proofs.cli.params import Folder

Known = Callable[[], Mapping[str, str]]
"""Function that returns the words that can be typed: word -> short explanation."""


class Words(click.ParamType):  # type: ignore[type-arg]  # classes of click before 8.5 cannot be subscripted
    """Parameter type whose value is one of some words.

    ``commas``: the value can be several words, separated by commas. ``or_file``: the value can also be a file.
    """

    name = "word"

    def __init__(self, known: Known, *, commas: bool = False, or_file: bool = False) -> None:
        self._known, self._commas, self._or_file = known, commas, or_file

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the words that begin with ``incomplete`` in any case; otherwise files, if allowed."""
        before, comma, last = incomplete.rpartition(",") if self._commas else ("", "", incomplete)
        found = [
            CompletionItem(f"{before}{comma}{word}", help=about or None)
            for word, about in self._known().items()
            if word.casefold().startswith(last.casefold()) and word not in before.split(",")
        ]
        return found or ([CompletionItem(incomplete, type="file")] if self._or_file else [])


class Claims(Words):
    """Parameter type for claim ids.

    ``patterns``: complete an id level by level, also with patterns for all claims of a level and names of clients.
    ``refuted``: complete ids of refuted claims only.
    """

    name = "claim"

    def __init__(self, *, patterns: bool = False, refuted: bool = False, or_file: bool = False) -> None:
        super().__init__(refuted_claims if refuted else claims, or_file=or_file)
        self._patterns = patterns

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Return the claim ids (with ``patterns``, also patterns) that begin with ``incomplete``."""
        if not self._patterns:
            return super().shell_complete(ctx, param, incomplete)
        found = dict(levels(claims(), incomplete)) or {
            name: "" for name in claim_names() if name.casefold().startswith(incomplete.casefold())
        }
        return [CompletionItem(word, help=about or None) for word, about in found.items()]


def levels(known: Mapping[str, str], incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield ids and patterns that continue the typed text by one level, each with an explanation.

    If there is only one continuation, the next level is yielded too.
    """
    *head, last = incomplete.split(".")
    below: dict[str, list[list[str]]] = {}
    for parts in (name.split(".") for name in known):
        if len(parts) > len(head) and all(map(fnmatchcase, parts, head)) and parts[len(head)].startswith(last):
            below.setdefault(parts[len(head)], []).append(parts)
    if head and not last and "*" not in incomplete and below:
        yield f"{incomplete}**", _number(sum(map(len, below.values())))
    for part, inside in below.items():
        typed = ".".join([*head, part])
        if "*" in incomplete:
            if here := sum(len(one) == len(head) + 1 for one in inside):
                yield typed, _number(here)
        elif len(inside) == 1:
            yield ".".join(inside[0]), known[".".join(inside[0])]
            continue
        elif typed in known:
            yield typed, known[typed]
        if any(len(one) > len(head) + 1 for one in inside):
            yield f"{typed}.**", _number(len(inside))
            if len(below) == 1 and "*" not in incomplete:
                yield from (found for found in levels(known, f"{typed}.") if found[0] != f"{typed}.**")


def _number(claims: int) -> str:
    return "1 claim" if claims == 1 else f"{claims} claims"


@cache
def _index() -> Sequence[Mapping[str, Any]]:
    text = files("rebalance_proofs.report.index").joinpath("index.json").read_text(encoding="utf-8")
    found: Sequence[Mapping[str, Any]] = json.loads(text)["claims"]
    return found


def claims() -> Mapping[str, str]:
    """Return all claims: id -> sentence."""
    return {one["id"]: one["sentence"] for one in _index()}


def refuted_claims() -> Mapping[str, str]:
    """Return all refuted claims, which have counterexamples: id -> sentence."""
    return {one["id"]: one["sentence"] for one in _index() if one["expected"] == "REFUTED"}


def claim_names() -> Iterable[str]:
    """Return names without spaces that select claims: of strategies, releases, guarantees."""
    return dict.fromkeys(name for one in _index() for name in one["names"] if " " not in name)


def java_clients() -> Mapping[str, str]:
    """Return the releases of the Java client, newest first, with explanations."""
    from rebalance_proofs.model.releases import JAVA

    return dict.fromkeys(reversed(JAVA), "Java")


def clients() -> Mapping[str, str]:
    """Return the releases of all clients, with explanations; Java's come first, newest first."""
    from rebalance_proofs.model.releases import OTHERS

    return {**java_clients(), **dict.fromkeys(OTHERS, "")}


def locking_clients() -> Mapping[str, str]:
    """Return the clients that lock the queues of ordered consumers, with explanations."""
    return {**java_clients(), "go": ""}


def strategies() -> Mapping[str, str]:
    """Return the strategies that users can name: short name -> RocketMQ's name."""
    from rebalance_proofs.model.allocation import ALL

    return {one.name: one.rocketmq_name for one in ALL}


def moved_strategies() -> Mapping[str, str]:
    """Return the strategies of ``moves``: all except CONFIG, whose assignment is fixed."""
    return {name: of for name, of in strategies().items() if of != "CONFIG"}


def shared_strategies() -> Mapping[str, str]:
    """Return the strategies of ``shares``: all of RocketMQ, and Kafka's assignors."""
    kafka = {"kafka-range": "Kafka RangeAssignor", "kafka-round-robin": "Kafka RoundRobinAssignor"}
    return {**strategies(), **kafka}


def explored_strategies() -> Mapping[str, str]:
    """Return the strategies that ``explore`` accepts."""
    return {name: of for name, of in strategies().items() if name in ("avg", "circle", "hash", "hash-go")}


def rocketmq_strategies() -> Mapping[str, str]:
    """Return the strategies by RocketMQ's names, with explanations."""
    return dict.fromkeys(strategies().values(), "")


def every_strategy() -> Mapping[str, str]:
    """Return short names and RocketMQ's names of all strategies, with explanations."""
    return {**strategies(), **rocketmq_strategies()}


def modes() -> Mapping[str, str]:
    """Return the consumer modes, with hyphens instead of spaces, so that the shell needs no quotes."""
    from rebalance_proofs.report.modes import MODES

    return dict.fromkeys((mode.replace(" ", "-") for mode in MODES), "")


def packages() -> Mapping[str, str]:
    """Return one version of each package that ``conform`` can compare, with its client."""
    from rebalance_proofs.recorded.packages.install import KINDS

    return {f"{kind.name}=={kind.example}": kind.client for kind in KINDS}


def symptoms() -> Mapping[str, str]:
    """Return the symptoms that ``why`` knows."""
    from rebalance_proofs.report.symptoms.cause import Symptom

    return {one.value: "" for one in Symptom}


def scenarios() -> Mapping[str, str]:
    """Return the names of the recording scenarios in this package, with explanations."""
    folder = files("rebalance_proofs.recorded.live").joinpath("scenarios")
    return {
        name.removesuffix(".toml"): ""
        for name in sorted(one.name for one in folder.iterdir())
        if name.endswith(".toml")
    }


def commands() -> Mapping[str, str]:
    """Return all commands: name -> summary."""
    from rebalance_proofs.cli.commands import COMMANDS

    return {name: place.line for name, place in COMMANDS.items()}


PATTERNS, JAVA, CLIENTS, MODES = Claims(patterns=True), Words(java_clients), Words(clients), Words(modes)
NAMED = Words(every_strategy)
VALUES: Mapping[tuple[str, str], Words] = {
    ("audit", "client"): JAVA,
    ("audit", "strategy"): Words(rocketmq_strategies),
    ("check", "same_as"): Words(strategies, or_file=True),
    ("conform", "client"): JAVA,
    ("conform", "released"): Words(packages),
    ("enumerate", "claims"): PATTERNS,
    ("explore", "client"): JAVA,
    ("explore", "strategy"): Words(explored_strategies),
    ("help", "command"): Words(commands),
    ("list", "claims"): PATTERNS,
    ("list", "client"): CLIENTS,
    ("list", "mode"): MODES,
    ("list", "strategy"): NAMED,
    ("moves", "strategy"): Words(moved_strategies, commas=True),
    ("prove", "claims"): PATTERNS,
    ("record", "scenarios"): Words(scenarios),
    ("replay", "what"): Claims(refuted=True, or_file=True),
    ("safe", "clients"): Words(locking_clients),
    ("settle", "client"): JAVA,
    ("shares", "strategies"): Words(shared_strategies, commas=True, or_file=True),
    ("show", "claim"): Claims(),
    ("verify", "claims"): PATTERNS,
    ("why", "about"): Words(symptoms),
    ("why", "client"): CLIENTS,
    ("why", "mode"): MODES,
    ("why", "strategy"): NAMED,
}
"""(command, parameter) -> type that completes its values; for others, their click type does."""
FILES = {("audit", "paths"), ("check", "strategy"), ("check", "classpath"), ("conform", "classpath")}
FILES |= {("check", "property_")}
FILES |= {("record", "classpath"), ("record", "broker_classpath")}
FILES |= {("shares", "ids"), ("shares", "brokers"), ("shares", "classpath")}
"""(command, parameter) pairs that accept files although their type is text."""


def kind_of(command: str, param: click.Parameter) -> str | list[str] | None:
    """Return how a parameter's values are completed: ``names``, its choices, ``file`` or ``dir``.

    ``names`` refers to ``VALUES``. None if the values cannot be completed.
    """
    if (command, param.name) in VALUES:
        return "names"
    if isinstance(param.type, click.Choice):
        return [str(choice) for choice in param.type.choices]
    if (command, param.name) in FILES:
        return "file"
    if isinstance(param.type, click.Path):
        return "dir" if isinstance(param.type, Folder) else "file"
    return None
