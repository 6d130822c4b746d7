"""Files of an exported test: their names, their headers, and the commands that run them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files

from rebalance_proofs.proofs.claim import Claim
from rebalance_proofs.report.text.wrapping import wrapped


@dataclass(frozen=True)
class Release:
    """A released client that a test runs against."""

    package: str
    """Name in the registry of the client's language."""
    version: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


@dataclass(frozen=True)
class Language:
    """A language of exported tests, with its test runner."""

    name: str
    """Value of ``--for``."""
    file: str
    """Name of the test's file: ``{name}`` is the test's name."""
    comment: str
    """Beginning of a line of comment."""
    run: str
    """Shell command that runs the test, in the folder with its files; the steps of ``prepare`` come before."""
    upper: bool = False
    """Whether the test's name is in upper camel case."""


@dataclass(frozen=True)
class Exported:
    """A test of a real client, made from a counterexample."""

    language: Language
    release: Release
    name: str
    """Name of the test: the file, class or function is called like this."""
    text: str
    """The whole text of the test's file."""
    beside: Mapping[str, str]
    """Path of a file that the test needs, such as ``pom.xml`` -> its whole text."""

    @property
    def needs(self) -> Mapping[str, str]:
        """Path of a project file -> the text with which it names the release."""
        release = self.release
        known = {
            "pom.xml": f"<artifactId>{release.package.rpartition(':')[2]}</artifactId>",
            "go.mod": f"{release.package} {release.version}",
            "Cargo.toml": f'{release.package} = "={release.version}"',
        }
        return {path: text for path, text in known.items() if path in self.beside}

    @property
    def path(self) -> str:
        """The test's path in the folder of ``--output``."""
        return self.language.file.format(name=self.name)


@dataclass(frozen=True)
class Body:
    """What a writer makes of a counterexample: a release, and the parts of its file behind the header."""

    release: Release
    template: str
    """Name of the template in ``report/templates``."""
    parts: Mapping[str, str]
    """Placeholder of the template -> text."""
    run: str = ""
    """Command of this test, if the language's command does not fit."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Path of a file that the test needs -> its template."""


FIRST = "Written by `rebalance export-test {claim} --for {language}`"
"""First words of each file: the command that wrote it."""
WIDTH = 116


def exported(claim: Claim, language: Language, body: Body, shows: str) -> Exported:
    """Return the test of a claim; ``shows`` is the sentence of its counterexample."""
    name = test_name(claim.id, language)
    mark = language.comment
    path = language.file.format(name=name)
    command = (body.run or language.run).format(
        name=name, path=path, version=body.release.version, package=body.release.package
    )
    words = [
        f"{FIRST.format(claim=claim.id, language=language.name)}.",
        "",
        f"Claim {claim.id}, refuted: {claim.sentence}",
        f"Shows: {shows[0].upper()}{shows[1:]}",
        f"Release: {body.release}. The test fails while the fault is there, and passes when it is mended.",
        *([f"Needs {' and '.join(sorted(body.beside))}, which --output DIR also writes."] if body.beside else []),
        f"Run: {command}",
    ]
    lines: list[str] = []
    for word in words:
        wide = 1000 if word.startswith(("Written", "Run:")) else WIDTH - len(mark)
        lines += wrapped(word, wide, hang=0)
    head = "\n".join(f"{mark} {line}".rstrip() for line in lines)
    whole = filled(body.template, {"NAME": name, **body.parts})
    of_release = {"VERSION": body.release.version, "ARTIFACT": body.release.package.rpartition(":")[2]}
    beside = {path: filled(template, of_release) for path, template in body.beside.items()}
    return Exported(language, body.release, name, f"{head}\n{whole}", beside)


def filled(template: str, parts: Mapping[str, str]) -> str:
    """Return a template's text with ``@NAME@`` replaced by the part with that name, indented like the placeholder.

    A placeholder of an empty part is removed with its line.
    """
    text = files("rebalance_proofs.report").joinpath("templates", template).read_text(encoding="utf-8")
    for name in (name for name, value in parts.items() if not value):
        text = re.sub(rf"^[ \t]*@{name}@\n\n?", "", text, flags=re.MULTILINE)

    def part(found: re.Match[str]) -> str:
        before, value = found["before"], parts[found["name"]]
        return before + value.replace("\n", "\n" + before) if not before.strip() else before + value

    return re.sub(r"(?P<before>^[ \t]*|)@(?P<name>[A-Z]+)@", part, text, flags=re.MULTILINE)


def test_name(claim: str, language: Language) -> str:
    """Return the name of a claim's test: lower case with ``_``, or upper camel case."""
    words = [word for word in re.split(r"[^0-9A-Za-z]+", claim) if word]
    return "".join(f"{word[0].upper()}{word[1:]}" for word in words) if language.upper else "_".join(words).lower()
