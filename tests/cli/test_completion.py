"""Shell completion: candidates are valid for the commands, and no slow module is imported for it."""

import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files

import click
import pytest

from rebalance_proofs.__main__ import main as entry_point
from rebalance_proofs.cli.commands import COMMANDS
from rebalance_proofs.cli.completion import VARIABLE
from rebalance_proofs.cli.completion.answer import answer
from rebalance_proofs.cli.completion.values import FILES, VALUES, claims, levels, refuted_claims
from rebalance_proofs.cli.completion.written import FILE, described, group, text
from rebalance_proofs.cli.main import cli
from rebalance_proofs.model.ordered.versions import of_version
from rebalance_proofs.model.releases import RELEASES
from rebalance_proofs.proofs.named import selected
from rebalance_proofs.recorded.live.read import names
from rebalance_proofs.report.index.entries import entries
from tests.cli.test_start import LATER, LEDGER, PAGE

CODE = """
import json, sys
from rebalance_proofs.__main__ import main
try:
    main()
except SystemExit as ended:
    status = ended.code
print(json.dumps([status, sorted(sys.modules)]), file=sys.stderr)
"""
MOST = 210
"""The most modules that a completion loads; they were a tenth less when this was written."""


def answered(instruction: str, *words: str, at: str = "") -> tuple[int, list[str], set[str]]:
    """Status, lines, and loaded modules of the answer to a shell. ``at``: the word at the cursor, or its number."""
    asked = {VARIABLE: instruction, "COMP_WORDS": " ".join(["rebalance", *words]), "COMP_CWORD": at or str(len(words))}
    called = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        env=os.environ | asked | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    status, modules = json.loads(called.stderr.splitlines()[-1])
    return status, called.stdout.splitlines(), set(modules)


def completed(*words: str) -> list[str]:
    """What bash is offered, without the kind of each word."""
    return [line.partition(",")[2] for line in answered("bash_complete", *words)[1]]


def values(command: str, param: str, typed: str = "") -> list[str]:
    """What completes a parameter's value."""
    context = click.Context(click.Command(command))
    found = VALUES[command, param].shell_complete(context, click.Argument([param]), typed)
    return [item.value for item in found if item.type == "plain"]


def test_completion_file_is_up_to_date():
    """``python -m rebalance_proofs.cli.completion``, which is part of ``make docs``, writes them."""
    written = files("rebalance_proofs.cli.completion").joinpath(FILE).read_text(encoding="utf-8")
    assert written == text(described(cli))


def test_completion_file_changes_with_a_new_option_or_choice():
    command = click.Command("settle", params=[click.Option(["--event"], type=click.Choice(["join"]))])
    before = described(click.Group("rebalance", commands={"settle": command}))
    command.params.append(click.Option(["--new"]))
    command.params[0].type = click.Choice(["join", "leave"])
    after = described(click.Group("rebalance", commands={"settle": command}))
    event, new, _ = after["settle"]
    assert new["options"] == ["--new"]
    assert event["values"] == [*before["settle"][0]["values"], "leave"]


def test_completed_parameters_exist():
    for command, param in {*VALUES, *FILES}:
        assert param in {one.name for one in COMMANDS[command].command().params}, (command, param)


@pytest.mark.parametrize(
    "words",
    [
        ("",),
        *((name, "--") for name in COMMANDS),
        *((name, "") for name in ("list", "show", "replay", "record", "why", "help")),
        ("explore", "concurrent", "--client", ""),
        ("moves", "--strategy", "avg,"),
        ("shares", "--strategy", "avg,kafka"),
        ("why", "twice", "--mode", ""),
    ],
    ids=" ".join,
)
def test_completion_imports_no_command_and_no_heavy_module(words):
    status, lines, modules = answered("bash_complete", *words)
    assert status == 0
    assert lines
    assert modules & {*LATER, LEDGER, PAGE} == set()
    assert modules & {f"rebalance_proofs.cli.{place.module}" for place in COMMANDS.values()} == set()
    assert len(modules) <= MOST, len(modules)


def test_commands_complete():
    assert completed("") == [*COMMANDS]
    assert completed("s") == ["safe", "settle", "shares", "show"]


@pytest.mark.parametrize("name", COMMANDS)
def test_options_of_a_command_complete(name):
    context = cli.make_context("rebalance", [], resilient_parsing=True)
    command = cli.get_command(context, name)
    params = command.get_params(click.Context(command, context, name))
    wanted = {option for param in params for option in (*param.opts, *param.secondary_opts) if option[:2] == "--"}
    assert {*completed(name, "--")} == wanted


def test_events_complete():
    assert completed("settle", "--event", "br") == ["broker-restart", "broker-added", "broker-frozen"]
    assert completed("moves", "--event", "") == ["join", "leave", "crash"]


def test_scenarios_complete():
    assert values("record", "scenarios") == [*names()]
    assert completed("record", "shut") == ["shutdown", "shutdown_ordered"]


def test_files_and_folders_complete_by_the_shell():
    for words in (("check", ""), ("audit", ""), ("replay", "run"), ("prove", "--baseline", ""), ("check", "--ids", "")):
        assert answered("bash_complete", *words)[1] == [f"file,{words[-1]}"]
    assert answered("bash_complete", "prove", "--output", "")[1] == ["dir,"]


def test_value_after_an_equals_sign_completes():
    """bash passes the equals sign as a separate word."""
    assert completed("settle", "--event", "=", "cr") == ["crash"]
    assert completed("settle", "--event", "=")[:1] == ["join"]


def test_claims_complete_level_by_level():
    known = {"a.x.one": "One.", "a.x.two": "Two.", "a.y.one": "Other.", "a.y": "Both.", "b.z": "Last."}
    assert dict(levels(known, "")) == {"a.**": "4 claims", "b.z": "Last."}
    assert dict(levels(known, "a")) == {
        "a.**": "4 claims",
        "a.x.**": "2 claims",
        "a.y": "Both.",
        "a.y.**": "2 claims",
    }
    assert dict(levels(known, "a.")) == dict(levels(known, "a"))
    assert dict(levels(known, "a.x.")) == {"a.x.**": "2 claims", "a.x.one": "One.", "a.x.two": "Two."}
    assert dict(levels(known, "a.x.t")) == {"a.x.two": "Two."}
    assert dict(levels(known, "a.*.")) == {"a.*.one": "2 claims", "a.*.two": "1 claim"}
    assert dict(levels(known, "a.*.o")) == {"a.*.one": "2 claims"}
    assert dict(levels(known, "c")) == {}


def walked(typed: str = "") -> set[str]:
    """All that is offered from here on, if each offered pattern is followed."""
    found = dict(levels(claims(), typed))
    deeper = {word.removesuffix("**") for word in found if word.endswith(".**")} - {typed}
    return {*found}.union(*(walked(word) for word in deeper))


def test_claim_completion_reaches_every_claim():
    offered = walked()
    assert claims().keys() <= offered
    every = tuple(entries().values())
    for word in offered:
        assert selected([word], every), word


@pytest.mark.parametrize("typed", ["", "allocation.", "allocation.*.", "allocation.*.d", "offsets.java_v5."])
def test_claim_pattern_shows_its_number_of_claims(typed):
    every = tuple(entries().values())
    for word, about in levels(claims(), typed):
        if "*" in word:
            number = len(selected([word], every))
            assert about == ("1 claim" if number == 1 else f"{number} claims"), word


def test_claims_of_show_and_replay_complete():
    assert values("show", "claim") == [*entries()]
    assert {*values("replay", "what")} == {one.id for one in entries().values() if one.expected == "REFUTED"}
    assert values("replay", "what", "offsets.java_v5.") == [
        name for name in refuted_claims() if name.startswith("offsets.java_v5.")
    ]


def test_names_of_strategies_and_clients_select_claims():
    every = tuple(entries().values())
    for typed in ("av", "AVG_", "5.", "consistent"):
        found = values("list", "claims", typed)
        assert found
        for word in found:
            assert selected([word], every), word


@pytest.mark.parametrize(
    ("command", "param", "call_of"),
    [
        ("list", "client", "list allocation.** --client {}"),
        ("list", "mode", "list --mode {}"),
        ("list", "strategy", "list --strategy {}"),
        ("why", "about", "why {}"),
        ("why", "client", "why twice --client {}"),
        ("why", "mode", "why twice --mode {}"),
        ("why", "strategy", "why twice --strategy {}"),
        ("moves", "strategy", "moves --strategy {} --queues 2 --consumers 1"),
        ("settle", "client", "settle --event join --client {}"),
        ("help", "command", "help {}"),
        ("explore", "strategy", "explore concurrent --queues 1 --consumers 1 --no-settle --strategy {}"),
        ("explore", "client", "explore concurrent --queues 1 --consumers 1 --no-settle --client {}"),
    ],
)
def test_commands_accept_what_completes(command, param, call_of, call):
    for value in values(command, param):
        called = call(*call_of.format(value).split())
        assert called.status == 0, (value, called.err)


def has_locks(release: str) -> bool:
    try:
        of_version(release)
    except LookupError:
        return False
    return True


def test_clients_of_safe_are_those_with_locks():
    assert {*values("safe", "clients")} == {*filter(has_locks, RELEASES)}


def test_strategies_after_a_comma_complete():
    assert values("moves", "strategy", "avg,ha") == ["avg,hash", "avg,hash-go"]
    assert "avg,avg" not in values("moves", "strategy", "avg,")


def test_case_of_a_name_does_not_matter():
    assert values("list", "strategy", "consist") == ["CONSISTENT_HASH"]


def shape(param: click.Parameter):
    """What a shell has to know of a parameter."""
    return param.param_type_name, {*param.opts, *param.secondary_opts}, param.nargs, getattr(param, "is_flag", False)


def test_commands_without_code_have_the_options_of_the_commands():
    written, context = group(), cli.make_context("rebalance", [], resilient_parsing=True)
    for name, command in written.commands.items():
        real = cli.get_command(context, name).get_params(click.Context(cli.get_command(context, name), context))
        assert [shape(one) for one in command.params] == [shape(one) for one in real]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_of_a_shell_is_one(shell, tmp_path):
    status, lines, _ = answered(f"{shell}_source")
    assert status == 0
    assert f"{VARIABLE}={shell}_complete" in "\n".join(lines)
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"there is no {shell} on this machine")
    script = tmp_path / "script"
    script.write_text("\n".join(lines), encoding="utf-8")
    subprocess.run([program, "-n", str(script)], check=True, timeout=60)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_shells_with_descriptions_get_them(shell):
    _, lines, _ = answered(f"{shell}_complete", "settle", at={"zsh": "1", "fish": "settle"}[shell])
    assert COMMANDS["settle"].line in "\n".join(lines)


@pytest.mark.parametrize("request_", ["tcsh_complete", "bash_", "nope", "x_source"])
def test_unknown_request_of_a_shell_is_refused(request_, capsys):
    assert answer(request_) == 2
    complaint = capsys.readouterr().err.splitlines()
    assert len(complaint) == 1
    assert "use one of bash_source, zsh_source, fish_source" in complaint[0]


@pytest.mark.parametrize("variables", [{}, {"COMP_WORDS": "rebalance", "COMP_CWORD": ""}])
def test_request_without_the_variables_of_the_shell_is_refused(variables, monkeypatch, capsys):
    for name in ("COMP_WORDS", "COMP_CWORD"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert answer("bash_complete") == 2
    assert "rebalance: " in capsys.readouterr().err


def test_empty_completion_request_is_ignored(monkeypatch, capsys):
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr("sys.argv", ["rebalance", "--version"])
    with pytest.raises(SystemExit) as ended:
        entry_point()
    assert ended.value.code in (0, None)
    assert "version" in capsys.readouterr().out


def command_on_path(folder) -> str:
    """PATH with ``rebalance`` in this folder, as an installation has it."""
    path = folder / "rebalance"
    path.write_text(
        f'#!/bin/sh\nPYTHONPATH="{os.pathsep.join(sys.path)}" exec {sys.executable} -m rebalance_proofs "$@"\n',
        encoding="utf-8",
    )
    path.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def test_bash_completes_a_line(tmp_path):
    code = f"""
eval "$({VARIABLE}=bash_source rebalance)"
COMP_WORDS=(rebalance settle --event = cra) COMP_CWORD=4
_rebalance_completion rebalance cra =
echo "${{COMPREPLY[@]}}"
"""
    environment = os.environ | {"PATH": command_on_path(tmp_path)}
    said = subprocess.run(["bash", "-c", code], env=environment, capture_output=True, encoding="utf-8", timeout=120)
    assert said.stdout.split() == ["crash"], said.stderr


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish on this machine")
def test_fish_completes_a_line(tmp_path):
    code = f"{VARIABLE}=fish_source rebalance | source; complete -C 'rebalance settle --event cra'"
    environment = os.environ | {"PATH": command_on_path(tmp_path), "HOME": str(tmp_path)}
    said = subprocess.run(
        ["fish", "--no-config", "-c", code], env=environment, capture_output=True, encoding="utf-8", timeout=120
    )
    assert said.stdout.split() == ["crash"], said.stderr
