"""Read the baseline, results.json of an earlier run, and check that the present run is comparable with it."""

import hashlib
import json
import shlex
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rebalance_proofs.proofs.claim import Verdict
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.proofs.ledger import LEDGER
from rebalance_proofs.proofs.results import ClaimResult
from rebalance_proofs.recorded.rows import printable
from rebalance_proofs.report.failures import Required, failures
from rebalance_proofs.report.schemas import published
from rebalance_proofs.report.text.english import count, listing

ALIKE = ("solver", "stability", "width", "queues", "consumers", "quick", "thorough")
"""Options that must be equal in both runs.

Otherwise differences could come from the options.
"""
_UNDECIDED = "undecided"
_COMMANDS = ("prove", "enumerate", "verify", "conform")


@dataclass(frozen=True)
class Judged:
    """The outcome of one claim in a run: its verdict, the expected verdict, and contradictions."""

    expected: str
    verdict: str
    contradicted: bool
    """True if the enumerator or a recorded result of a real client contradicted the verdict."""

    @property
    def as_expected(self) -> bool:
        """True if the verdict is the expected one, and nothing contradicted it."""
        return self.verdict == self.expected and not self.contradicted

    @property
    def words(self) -> str:
        """The outcome in words: ``PROVED, contradicted``."""
        return f"{self.verdict}{', contradicted' if self.contradicted else ''}"

    @property
    def state(self) -> tuple[str, bool]:
        """The outcome for comparisons of two runs, where UNKNOWN and TIMEOUT are equal."""
        undecided = self.verdict in (Verdict.UNKNOWN, Verdict.TIMEOUT)
        return (_UNDECIDED if undecided else self.verdict, self.contradicted)


@dataclass(frozen=True)
class Baseline:
    """The earlier run: its outcomes and failures."""

    file: str
    """Path of results.json as the user typed it."""
    sha256: str
    """SHA-256 of the file's bytes, in hexadecimal."""
    started: str
    command: str
    options: Mapping[str, Any] = field(default_factory=dict)
    claims: Mapping[str, Judged] = field(default_factory=dict)
    """Outcome by claim id."""
    failures: tuple[str, ...] = ()
    """All failures of that run, one sentence each."""
    about_claims: frozenset[str] = frozenset()
    """Those of ``failures`` that follow from the outcomes in ``claims``."""
    lacking: Mapping[str, tuple[int | str, int | str]] = field(default_factory=dict)
    """Work that was not done in full: name of the work -> (required amount, amount done)."""
    conformed: bool = False
    """True if that run compared recorded results of real clients."""

    @property
    def name(self) -> str:
        """The baseline's name in messages: ``runs/main/results.json (2025-01-31T12:00:00+00:00, sha256 ...)``."""
        return printable(f"{self.file} ({self.started}, sha256 {self.sha256[:12]})")


def read(path: Path) -> Baseline:
    """Read the baseline in that file.

    Raises ``UsageError`` unless the file is results.json of a complete run, in the current format.
    """
    content = _content(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        said = "it is empty" if not content.strip() else f"it is not JSON, or is truncated: {_first_line(error)}"
        raise _unfit(path, said) from error
    version = found.get("format") if isinstance(found, dict) else None
    if not isinstance(found, dict) or type(version) is not int or "claims" not in found:
        raise _unfit(path, "it is not the results.json of a `rebalance prove` or `rebalance verify`")
    here = published("results")["properties"]["format"]["const"]
    if version != here:
        raise _unfit(path, f"it has format {version}, but this version reads format {here}")
    if found.get("complete") is not True:
        raise _unfit(path, "its run was interrupted")
    try:
        if not all(test["noticed"] is True for test in found["self_tests"]):
            raise _unfit(path, "a self-test of its run failed, so its results do not count")
        return _baseline(path, found, hashlib.sha256(content).hexdigest())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _unfit(path, f"its content does not match the schema: {_first_line(error)}") from error


def fitting(baseline: Baseline, options: Mapping[str, Any], claims: Collection[str]) -> None:
    """Check that a run with these options and claims can be compared with the baseline.

    Raises ``UsageError`` if not. The options in ``ALIKE`` must be equal, and at least one claim must be in both runs.
    """
    other = [name for name in ALIKE if baseline.options.get(name) != options.get(name)]
    if other:
        then, now = (listing(_option(name, told.get(name)) for name in other) for told in (baseline.options, options))
        ran = f"rebalance {_command(baseline.command)}"
        raise _unfit(Path(baseline.file), f"its run used {ran} with {then}, but this run uses {now}")
    if not baseline.claims:
        raise _unfit(Path(baseline.file), "its run judged no claim")
    if not baseline.claims.keys() & {*claims}:
        whose = f"{count(len(baseline.claims), 'claim')}, {min(baseline.claims)!r} among them"
        raise _unfit(Path(baseline.file), f"its run judged other claims than this run: {whose}")


def _content(path: Path) -> bytes:
    """Read the file's bytes. Only regular files are read, because opening a named pipe could block forever."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            where = f"; did you mean {str(path / 'results.json')!r}?" if (path / "results.json").is_file() else ""
            raise _unfit(path, f"it is {'a directory' if stat.S_ISDIR(mode) else 'not a file'}{where}")
        return path.read_bytes()
    except OSError as error:
        raise _unfit(path, error.strerror or type(error).__name__) from error


def _baseline(path: Path, found: Mapping[str, Any], sha256: str) -> Baseline:
    failures = tuple(map(_text, found["failures"]))
    return Baseline(
        str(path),
        sha256,
        _text(found["started"]),
        _text(found["command"]),
        dict(found["options"]),
        {_text(claim["id"]): _judged(claim) for claim in found["claims"]},
        failures,
        frozenset(sentence for claim in found["claims"] for sentence in _of(claim, failures)),
        {_text(work["name"]): (work["expected"], work["found"]) for work in found["required"] if not work["ok"]},
        found["conformance"] is not None,
    )


def _of(claim: Mapping[str, Any], failures: Sequence[str]) -> Iterator[str]:
    """Yield those of ``failures`` that follow from the outcome in this claim's JSON record."""
    beginning = f"{claim['id']}: "
    for sentence in failures:
        said = sentence.removeprefix(beginning)
        if said != sentence and (said.startswith("expected ") or said in claim["contradictions"]):
            yield sentence


def _judged(claim: Mapping[str, Any]) -> Judged:
    expected, verdict = (str(Verdict(claim[name])) for name in ("expected", "verdict"))
    if not isinstance(claim["contradictions"], list):
        raise TypeError("contradictions is not a list")
    return Judged(expected, verdict, bool(claim["contradictions"]))


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError(f"{said!r} is not a text")
    return said


def _option(name: str, value: Any) -> str:
    if value is None:
        return f"no {name}"
    return f"{name} {str(value).lower() if isinstance(value, bool) else value}"


def _command(typed: str) -> str:
    try:
        words = shlex.split(typed)
    except ValueError:
        words = typed.split()
    return next((word for word in words if word in _COMMANDS), "another command")


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines() or [""]
    return f"{type(error).__name__}, {lines[0]}"


def _unfit(path: Path, said: str) -> UsageError:
    return UsageError(f"cannot compare with the baseline {str(path)!r}: {said}")


# Differences between a run and its baseline: new, known and fixed failures, and omitted parts.

NEW = "not in the baseline"
FEW = 5
"""Largest number of names in a list on one line; results.json has all names."""


@dataclass(frozen=True)
class Changes:
    """Differences between a run and its baseline, as sentences that name their subject."""

    worse: tuple[str, ...]
    """Regressions, which fail the run: new failures, and claims of the baseline that no longer exist."""
    known: tuple[str, ...]
    """Failures that the baseline also has."""
    mended: tuple[str, ...]
    """Failures of the baseline that this run does not have."""
    turned: tuple[str, ...]
    """Claims that are as expected in both runs, but whose expected verdict has changed."""
    new: tuple[str, ...]
    """Claims that are as expected, and that the baseline does not have."""
    apart: tuple[str, ...]
    """Claims and other parts of the baseline that this run did not check, so they cannot be compared."""
    standing: tuple[str, ...] = ()
    """Sentences about failures of this run that are also in the baseline."""

    @property
    def told(self) -> str:
        """The number of differences by sort: ``1 worse, 2 known, 3 mended``."""
        counts = [(self.worse, "worse"), (self.known, "known"), (self.mended, "mended")]
        said = [f"{len(what):,} {word}" for what, word in counts]
        more = [(self.turned, "expected otherwise now"), (self.new, "new"), (self.apart, "not compared")]
        return ", ".join([*said, *(f"{len(what):,} {word}" for what, word in more if what)])


def judged(result: ClaimResult) -> Judged:
    """Return the claim's outcome in this run, in the form of the baseline's outcomes."""
    return Judged(str(result.claim.expected), str(result.verdict), bool(result.contradictions))


def known(baseline: Baseline, result: ClaimResult) -> bool:
    """Return whether the claim failed in the baseline with the same outcome."""
    then = baseline.claims.get(result.claim.id)
    return bool(failures(result)) and then is not None and not then.as_expected and then.state == judged(result).state


def changes(
    baseline: Baseline,
    claims: Sequence[ClaimResult],
    required: Sequence[Required],
    excused_work: Collection[str],
    others: Collection[str],
    never: Collection[str],
    conformed: bool,
) -> Changes:
    """Compare a run with its baseline.

    ``claims`` and ``required`` are the run's results and its amounts of work. ``others`` are further failures, which
    are known if the baseline has the same sentence; ``never`` are failures that always count as new. ``conformed`` is
    true if this run compared recorded results.

    Missing work is known if ``excused_work`` names it, or if no more is missing than in the baseline.
    """
    worse, known_, standing = list(never), list[str](), list[str]()
    for result in claims:
        excused = known(baseline, result)
        then = baseline.claims.get(result.claim.id)
        for sentence in failures(result):
            (known_ if excused else worse).append(f"{sentence} ({_then(then, excused)})")
            standing += [sentence] * excused
    said = [(sentence, sentence in baseline.failures) for sentence in others]
    for sentence, excused in (*_required(baseline.lacking, required, excused_work), *said):
        (known_ if excused else worse).append(sentence if excused else f"{sentence} ({NEW})")
        standing += [sentence] * excused
    now = {result.claim.id: result for result in claims}
    gone = baseline.claims.keys() - now.keys() - {claim.id for claim in LEDGER}
    worse += [f"{name}: was {baseline.claims[name].words}, and is no longer in the ledger" for name in sorted(gone)]
    apart = [name for name in baseline.claims if name not in now and name not in gone]
    if baseline.conformed and not conformed:
        apart.append("recorded results of real clients")
    lacking = {work.name for work in required if not work.ok}
    silent = list(_silent(baseline, {*standing, *others}, lacking))
    mended = [
        f"{name}: is {now[name].verdict}, as expected (was {then.words})"
        for name, then in baseline.claims.items()
        if name in now and not then.as_expected and not failures(now[name])
    ]
    # A run that checked less cannot have fixed the failures that it did not check.
    mended += [] if apart else [f"gone: {sentence}" for sentence in silent]
    return Changes(
        tuple(worse),
        tuple(known_),
        tuple(mended),
        tuple(_turned(baseline.claims, now)),
        tuple(name for name, result in now.items() if name not in baseline.claims and not failures(result)),
        (*apart, *(silent if apart else ())),
        tuple(standing),
    )


def _then(then: Judged | None, excused: bool) -> str:
    if then is None:
        return "not in the baseline"
    if then.as_expected:
        return f"was {then.words}, as expected"
    return f"was {then.words}" if excused else f"was {then.words}, another failure"


def _required(
    then: Mapping[str, tuple[int | str, int | str]], now: Sequence[Required], excused: Collection[str]
) -> Iterator[tuple[str, bool]]:
    """Yield (failure, known) for each kind of work that was not done in the required amount."""
    for work in now:
        before = then.get(work.name)
        no_more = before is not None and _no_more(before, (work.expected, work.found))
        yield from ((sentence, no_more or work.name in excused) for sentence in failures(work))


def _no_more(before: tuple[int | str, int | str], now: tuple[int | str, int | str]) -> bool:
    """Return whether the amount of missing or surplus work did not grow since the baseline."""
    (due, there), (due_now, there_now) = before, now
    if isinstance(due, int) and isinstance(there, int) and isinstance(due_now, int) and isinstance(there_now, int):
        lacks, lacks_now = due - there, due_now - there_now
        return lacks * lacks_now > 0 and abs(lacks_now) <= abs(lacks)
    return before == now


def _silent(baseline: Baseline, said: Collection[str], lacking: Collection[str]) -> Iterator[str]:
    """Yield the baseline's failures that this run lacks, except failures of claims and missing work."""
    for sentence in baseline.failures:
        still = any(sentence.startswith(f"{name}: ") for name in lacking)
        if sentence not in baseline.about_claims and sentence not in said and not still:
            yield sentence


def _turned(then: Mapping[str, Judged], now: Mapping[str, ClaimResult]) -> Iterator[str]:
    for name, result in now.items():
        before = then.get(name)
        if before and before.as_expected and not failures(result) and before.verdict != result.verdict:
            yield f"{name}: is {result.verdict}, as expected now (was {before.words}, as expected then)"


def some(what: str, names: Sequence[str]) -> str:
    """Return a heading with a shortened list of names: ``new: a, b and 3 more``.

    Empty without names.
    """
    if not names:
        return ""
    more = len(names) - FEW
    return f"{what}: {', '.join(names[:FEW])}{f' and {more:,} more' if more > 0 else ''}"


def against(baseline: Baseline, found: Changes) -> str:
    """Return the name of the baseline, and the number of differences of each sort."""
    return f"Compared with the baseline {baseline.name}, {count(len(baseline.claims), 'claim')}: {found.told}"
