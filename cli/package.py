"""``rebalance conform --package``: compare the model with a released package of a client."""

import os
from time import perf_counter

from rebalance_proofs.cli import jar
from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.recorded.jar.conform import Compared
from rebalance_proofs.recorded.live.artifacts import released
from rebalance_proofs.recorded.live.error import LiveError
from rebalance_proofs.recorded.packages.conform import conform_package, shipped_by
from rebalance_proofs.recorded.packages.install import installed
from rebalance_proofs.recorded.packages.install import package as named
from rebalance_proofs.report import package as report
from rebalance_proofs.report.text.english import duration


def conform(words: str, as_json: bool) -> int:
    """Compare a package, given as ``NAME==VERSION``, with the model, and return the exit status.

    It is 0 if all strategies and sort orders agree, and 1 if not. A Java client is compared as by ``--java``. Raises
    ``StrategyError``.
    """
    package = named(words)
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
