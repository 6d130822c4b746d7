"""``rebalance conform --java``: compare the model with the jar of a client."""

from time import perf_counter

from rebalance_proofs.cli.encoded import encoded
from rebalance_proofs.cli.progress import Reporter
from rebalance_proofs.model.own.java import classpath as classpaths
from rebalance_proofs.model.own.java.classpath import NoJava, find_java
from rebalance_proofs.model.own.named import StrategyError
from rebalance_proofs.model.releases import resolved
from rebalance_proofs.proofs.errors import UsageError
from rebalance_proofs.recorded.jar import rebalances
from rebalance_proofs.recorded.jar.conform import Compared, conform_jar
from rebalance_proofs.recorded.jar.describe import Version, profile_of, version
from rebalance_proofs.recorded.jar.shipped import SHIPPED
from rebalance_proofs.report import jar
from rebalance_proofs.report.text.english import duration

SAID = "--client"
"""Text for the source of the client's version, if the user has given the version."""


def conform(classpath: str | None, client: str | None, as_json: bool, asked: str = "--java") -> int:
    """Compare strategies and rebalance steps of a client's jar with the model, and return the exit status.

    It is 0 if all agree, and 1 if not. ``asked``: the option that needs Java, for error messages. Raises ``UsageError``
    or ``StrategyError``.
    """
    if classpath is None:
        raise UsageError("--java needs --classpath JARS with the client's jar, such as rocketmq-client.jar:lib/*")
    start = perf_counter()
    entries = classpaths.entries(classpath)
    try:
        java = find_java()
    except NoJava as error:
        raise StrategyError(f"{asked} {error}") from None
    found = Version(client, SAID) if client else version(entries, java)
    profile, remark = profile_of(found.number)
    release = resolved(found.number).release
    with Reporter(as_json) as reporter:
        step = reporter.step("calling", len(SHIPPED) + len(rebalances.GROUPS))

        def keep(compared: Compared) -> None:
            reporter.judged(jar.line(compared), wrong=bool(compared.smallest))
            step.advance()

        reporter.line(jar.heading(found, profile))
        if remark:
            reporter.line(remark)
        strategies = conform_jar(classpath, profile, found=keep)
        steps = rebalances.conform_steps(classpath, release, found=keep)
        wrong = any(one.smallest for one in (*strategies, *steps))
        verdict = jar.verdict([*strategies, *steps])
        reporter.verdict(f"{verdict} ({duration(perf_counter() - start)})", wrong=wrong)
        if as_json:
            print(encoded(jar.document(found, profile, strategies, release, steps, remark)))
    return int(wrong)
