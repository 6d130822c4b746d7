"""Faults in reports: results of recordings, mutants, failures, self-tests or counts get lost."""

from tests.faults.fault import CONFORM, fault, proving

IDLE, DISJOINT = proving("allocation.avg.idle"), proving("allocation.avg.disjoint")
TALLY = "recorded/tally.py"

FAULTS = (
    fault(
        "last-row-skipped",
        TALLY,
        "        for line in read(vectors.path):",
        "        for line in list(read(vectors.path))[:-1]:",
        CONFORM,
        "config.jsonl: holds 17 rows, and 18 are pinned",
    ),
    fault(
        "exceptions-of-rows-swallowed",
        TALLY,
        '                tally.uncomputed(line, f"it raised {type(error).__name__}, {error}")',
        "                pass",
        CONFORM,
        "'vectors: the model raises an exception' was not noticed: it said nothing",
    ),
    fault(
        "rows-only-counted",
        TALLY,
        "        if recorded == computed:",
        "        if recorded is not None:",
        CONFORM,
        "'vectors: the model computes something else' was not noticed: it said nothing",
    ),
    fault(
        "a-mutant-skipped",
        "proofs/prove.py",
        "for mutant in claim.mutants])",
        "for mutant in claim.mutants[1:]])",
        DISJOINT,
        "mutants of proved claims that were tried and killed: 2 required, 1 found",
    ),
    fault(
        "mutants-of-no-claim",
        "proofs/claim.py",
        "            mutant for mutant in self.subjects[0].mutants if mutant",
        "            mutant for mutant in self.subjects[0].mutants[3:] if mutant",
        DISJOINT,
        "mutants of proved claims that were tried and killed: 2 required, 0 found",
    ),
    fault(
        "failures-swallowed",
        "report/run.py",
        "        found = [*self.judged_wrong, *self.unfounded]\n",
        "        found = []\n",
        IDLE,
        "BAD the run does not judge itself; the self-test 'records: another verdict'",
    ),
    fault(
        "always-status-0",
        "report/run.py",
        "        return 1 if self.complete and contradicted else 2",
        "        return 0",
        IDLE,
        "the self-test 'records: another verdict'",
    ),
    fault(
        "every-verdict-green",
        "proofs/results.py",
        "        return self.verdict is self.claim.expected",
        "        return True",
        IDLE,
        "the self-test 'records: another verdict' was not noticed",
    ),
    fault(
        "self-tests-always-noticed",
        "evidence/self_tests/trial.py",
        "SelfTest(trial.name, bool(said),",
        "SelfTest(trial.name, True,",
        IDLE,
        "self-tests of comparers that do not work, not noticed: 3 required, 2 found",
    ),
    fault(
        "less-work-is-enough",
        "report/evidence.py",
        "        return self.found == self.expected",
        "        return self.found <= self.expected",
        IDLE,
        "the self-test 'records: work that was not done' was not noticed",
    ),
    fault(
        "teeth-always-shown",
        "proofs/teeth/result.py",
        "        return self.bite is Bite.TEETH or (self.bite is not Bite.NONE and bool(self.reason))",
        "        return True",
        IDLE,
        "'verdicts: a step that notices nothing' was not noticed",
    ),
    fault(
        "premises-always-wide",
        "proofs/width/result.py",
        "        return not self.open and all(self.excluded.values())",
        "        return True",
        IDLE,
        "'verdicts: premises that exclude something' was not noticed",
    ),
)
