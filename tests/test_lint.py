"""Suppressions of the type checker, text encodings, and the order of imports between packages."""

import ast
import re
import tomllib
from pathlib import Path

from tests.faults.anchors import PARTS

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TEXT = re.compile(r"(?:read|write)_text\(|open\(|text=True")
IMPORTED = re.compile(
    r"^ *(?:from|import) rebalance_proofs\.(?P<package>\w+)|^ *from rebalance_proofs import (?P<names>.+)", re.M
)
LAYERS = [
    set(re.findall(r"rebalance_proofs\.(\w+)", layer))
    for layer in PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]
]
"""Packages and modules of each layer, from the top; docs/explanation/design.md draws them."""
BELOW = {name: set().union(*LAYERS[place + 1 :]) for place, layer in enumerate(LAYERS) for name in layer}
"""Package or module -> those that it may import."""
IGNORED = re.compile(r"# type: ignore(?P<code>\[[a-z-]+\])?(?P<reason>  # \w.*)?")


def ignored() -> dict[str, list[re.Match[str]]]:
    """By file: where the type checker is told to look away."""
    files = [path for room in (*PARTS, "rebalance_proofs") for path in (ROOT / room).rglob("*.py")]
    files += (ROOT / "stubs").rglob("*.pyi")
    found = {str(path.relative_to(ROOT)): list(IGNORED.finditer(path.read_text(encoding="utf-8"))) for path in files}
    return {path: matches for path, matches in found.items() if matches}


def test_type_checker_suppressions_are_pinned():
    assert {path: len(matches) for path, matches in ignored().items()} == {
        "cli/completion/values.py": 1,
        "cli/moves.py": 1,
        "cli/params.py": 2,
        "cli/player.py": 1,
        "model/own/hold.py": 1,
        "model/terms/smt.py": 2,
        "proofs/code/terms.py": 2,
        "proofs/code/transition.py": 2,
        "proofs/obligation.py": 1,
        "spark_enum/session.py": 2,
        "stubs/z3/__init__.pyi": 2,
    }


def test_type_checker_suppressions_have_a_code_and_a_reason():
    for path, matches in ignored().items():
        for match in matches:
            assert match["code"], f"{path}: {match[0]}"
            assert match["reason"], f"{path}: {match[0]}"


def test_modules_with_relaxed_checks_exist():
    for override in PROJECT["tool"]["mypy"]["overrides"]:
        for module in override["module"]:
            if not module.startswith("rebalance_proofs."):
                continue
            _, room, *parts = module.split(".")
            place = ROOT.joinpath(room, *parts)
            assert place.parent.is_dir() if parts[-1] == "*" else place.with_suffix(".py").is_file(), module


def without_encoding(source: str) -> list[str]:
    """Calls that read or write text in the encoding of whoever runs them."""
    if not TEXT.search(source):
        return []
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [ast.unparse(call) for call in calls if _is_text(call) and not _has_encoding(call)]


def _has_encoding(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    given = {"read_text": 0, "write_text": 1}.get(name)
    return any(one.arg == "encoding" for one in call.keywords) or (given is not None and len(call.args) > given)


def _is_text(call: ast.Call) -> bool:
    named = {one.arg: ast.unparse(one.value) for one in call.keywords}
    if named.get("text") == "True":
        return True
    if isinstance(call.func, ast.Attribute) and call.func.attr in ("read_text", "write_text"):
        return ast.unparse(call.func.value) != "formatter"  # click's HelpFormatter writes no file
    if isinstance(call.func, ast.Name) and call.func.id == "open":
        mode = named.get("mode", ast.unparse(call.args[1]) if len(call.args) > 1 else "'r'")
        return mode.startswith("'") and "b" not in mode
    if isinstance(call.func, ast.Attribute) and call.func.attr == "open":
        place = 1 if ast.unparse(call.func.value) in ("gzip", "bz2", "lzma") else 0
        mode = named.get("mode", ast.unparse(call.args[place]) if len(call.args) > place else "")
        return bool(re.fullmatch(r"'[rwax+]*t?[rwax+]*'", mode)) and (place == 0 or "t" in mode)
    return False


def test_text_files_are_opened_with_an_encoding():
    rooms = (*PARTS, "benchmarks", "tests")
    files = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): without_encoding(path.read_text(encoding="utf-8")) for path in files}
    assert {path: calls for path, calls in found.items() if calls} == {}


def test_text_without_an_encoding_is_noticed():
    wrong = (
        "p.read_text()",
        "p.write_text('a')",
        "open(p)",
        "open(p, 'w')",
        "p.open('r')",
        "gzip.open(p, 'rt')",
        "subprocess.run([], text=True)",
    )
    right = (
        "p.read_text('utf-8')",
        "p.read_text(encoding='ascii')",
        "open(p, 'rb')",
        "p.open('wb')",
        "gzip.open(p)",
        "os.open(p, os.O_RDONLY)",
        "subprocess.run([], encoding='utf-8')",
    )
    assert [without_encoding(one) for one in wrong] == [[ast.unparse(ast.parse(one))] for one in wrong]
    assert [without_encoding(one) for one in right] == [[] for _ in right]


def imported_from_above(package: str, source: str) -> set[str]:
    """Packages that a module of the package imports but may not import."""
    names = set()
    for match in IMPORTED.finditer(source):
        names |= {match["package"]} if match["package"] else set(re.findall(r"\w+", match["names"]))
    return (names & BELOW.keys()) - {package, *BELOW[package]}


def test_each_package_imports_only_packages_below_it():
    modules = [path for path in (ROOT / "rebalance_proofs").glob("*.py") if not path.stem.startswith("__")]
    assert BELOW.keys() == {*PARTS, *(path.stem for path in modules)}
    files = [(path.stem, path) for path in modules]
    files += [(package, path) for package in PARTS for path in (ROOT / package).rglob("*.py")]
    found = {
        str(path.relative_to(ROOT)): imported_from_above(name, path.read_text(encoding="utf-8")) for name, path in files
    }
    assert {path: names for path, names in found.items() if names} == {}


def test_import_from_a_package_above_is_noticed():
    below = "from rebalance_proofs.model import group\nfrom rebalance_proofs.language import gettext\n"
    assert imported_from_above("recorded", below) == set()
    assert imported_from_above("model", "from rebalance_proofs.recorded.knowledge.schema import text") == {"recorded"}
    assert imported_from_above("proofs", "def f():\n    import rebalance_proofs.report.claims.mark") == {"report"}
    assert imported_from_above("report", "from rebalance_proofs import cli, language") == {"cli"}
    assert imported_from_above("cli", "from rebalance_proofs.api import judge") == {"api"}
    assert imported_from_above("recorded", "from rebalance_proofs.proofs.claim import Claim") == {"proofs"}
