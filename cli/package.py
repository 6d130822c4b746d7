"""``rebalance conform --package``: compare the model with a released package of a client."""

import os
from time import perf_counter

from rebalance_proofs.cli import jar
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.jar.conform import Compared
from rebalance_proofs.recorded.live.artifacts import released
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.packages.conform import conform_package, shipped_by
from rebalance_proofs.recorded.packages.install import Package, installed
from rebalance_proofs.recorded.packages.install import package as named
from rebalance_proofs.recorded.packages.steps import STEPS, TENTH, compare_steps, number
from rebalance_proofs.report import package as report
from rebalance_proofs.report.text.english import duration


def conform(words: str, steps: int | None, as_json: bool) -> int:
    """Compare a package, given as ``NAME==VERSION``, with the model, and return the exit status.

    It is 0 if all strategies and sort orders agree, or all sequences of ``steps`` steps of a gRPC client, and 1 if not.
    A Java client is compared as by ``--java``. Raises ``StrategyError`` and ``UsageError``.
    """
    package = named(words)
    if package.kind.models:
        return _steps(package, steps or STEPS, as_json)
    if steps is not None:
        raise UsageError(f"--steps needs --package with a gRPC client; {package.kind.name} is none")
    profile = package.kind.profile
    if profile is None:
        try:
            jars = released(package.version, f"--package {package}", servers=False)
        except LiveError as error:
            raise StrategyError(str(error)) from None
        return jar.conform(os.path.join(jars, "*"), None, as_json, f"--package {package}")
    start = perf_counter()
    with Reporter(as_json) as reporter:
        reporter.line(report.heading(package))
        found = installed(package, begins=reporter.begins)
        step = reporter.step("calling", len(shipped_by(package.kind.client, profile)) + (0 if found.unsorted else 2))

        def keep(compared: Compared) -> None:
            reporter.judged(report.line(compared), wrong=bool(compared.smallest))
            step.advance()

        conformed = conform_package(package, found, found=keep)
        for note in report.notes(package, conformed):
            reporter.line(note)
        wrong = bool(conformed.differ)
        reporter.verdict(f"{report.verdict(conformed)} ({duration(perf_counter() - start)})", wrong=wrong)
        if as_json:
            print(encoded(report.document(package, conformed)))
    return int(wrong)


def _steps(package: Package, steps: int, as_json: bool) -> int:
    # Imported only here, because the model's pages take long to load, and strategies do not need them.
    from rebalance_proofs.report import steps as told

    start = perf_counter()
    with Reporter(as_json) as reporter:
        reporter.line(told.heading(package))
        found = installed(package, begins=reporter.begins)
        bar = reporter.step("comparing", number(steps) // TENTH)
        result = compare_steps(package, found, steps, found=lambda count: bar.advance())
        wrong = bool(result.differ)
        reporter.judged(told.line(result), wrong=wrong)
        reporter.verdict(f"{told.verdict(result)} ({duration(perf_counter() - start)})", wrong=wrong)
        if as_json:
            print(encoded(told.document(package, result)))
    return int(wrong)
