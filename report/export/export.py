"""Write the counterexample of a claim as a test of the real client."""

from collections.abc import Mapping
from types import ModuleType

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.report.export import allocation, receiving, step
from rebalance_proofs.report.export.files import Exported, Language, exported
from rebalance_proofs.report.kinds import smallest

LANGUAGES: Mapping[str, Language] = {
    one.name: one
    for one in (
        Language(
            "junit",
            "src/test/java/{name}Test.java",
            "//",
            "mvn -q test -Dtest={name}Test -Drocketmq.version={version}",
            True,
        ),
        Language("pytest", "test_{name}.py", "#", "pip install {package}=={version} pytest && python -m pytest {path}"),
        Language("go", "{name}_test.go", "//", "go test -mod=mod -run 'Test_{name}$' ."),
        Language("rust", "tests/{name}.rs", "//", "cargo test --test {name}"),
        Language("node", "{name}.test.js", "//", "npm install {package}@{version} && node --test {path}"),
    )
}
"""Value of ``--for`` -> the language."""
WRITERS: Mapping[str, ModuleType] = {"allocation": allocation, "transition": step, "receiving": receiving}
"""Kind of claims -> the module that writes their tests."""


def languages(claim: Claim) -> tuple[str, ...]:
    """Return the languages that have a writer for the claim's counterexample, in the order of ``LANGUAGES``."""
    writer = WRITERS.get(claim.world.kind)
    found = () if writer is None or claim.holds else writer.languages(claim)
    return tuple(name for name in LANGUAGES if name in found)


def export(claim: Claim, language: str) -> Exported:
    """Return the test of a refuted claim in a language. Raises ``UsageError`` with one sentence."""
    if claim.holds:
        raise UsageError(f"{claim.id} is proved: there is no counterexample")
    known = languages(claim)
    if not known:
        raise UsageError(f"{claim.id} has no test writer: no released client runs its counterexample in a test")
    if language not in known:
        raise UsageError(f"{claim.id} has no test writer for {language}; it has one for {', '.join(known)}")
    try:
        example = smallest(claim)
        body = WRITERS[claim.world.kind].body(claim, language, example)
    except LookupError as error:
        raise UsageError(str(error)) from None
    return exported(claim, LANGUAGES[language], body, example.sentence)
