"""Generated faults with which the program does the same, as far as anybody wants to know; each with the reason."""

from collections.abc import Mapping

EQUIVALENT: Mapping[tuple[str, str, str], str] = {
    ("evidence/self_tests/tables.py", "last[:] = ~last if wrong.dtype == np.bool_ else last + 1", "2"): (
        "the self-test needs a wrong number, and any will do"
    ),
    ("evidence/self_tests/records.py", '"another smallest counterexample": _smallest((2, 1), (1, 1)),', "3"): (
        "the self-test needs two different sizes, and any will do"
    ),
    ("evidence/self_tests/records.py", '"a join that costs something else": _finding(JOINS, differing=1),', "2"): (
        "the self-test needs a number above 0"
    ),
    (
        "evidence/self_tests/verdicts.py",
        '"a proof that another wording loses": replace(STEP, unproved=(UNDECIDED,), variants=1),',
        "2",
    ): "the self-test needs at least as many variants as lost the proof, and any number will do",
    ("evidence/self_tests/singles.py", "return self.space.size - 1", "2"): "two cases too few are too few",
    (
        "evidence/self_tests/groups.py",
        'smallest = {name: Wrong((2, 1), (9,), "") for name in watches} if broken else {}',
        "2",
    ): "the self-test needs a group that is said to break the claim, of any size",
    (
        "evidence/self_tests/evaluated.py",
        '"a negation": (smt.Not(smt.Implies(smt.Bool("x"), _Y >= 0)), {"x": 1, "y": -1}, {"x": 0, "y": -1}),',
        "(_Y > 0)",
    ): "the self-test needs a formula with a negation that tells its two models apart, and either does",
    (
        "evidence/self_tests/promises.py",
        'left_out = Trial("promises: cases are passed over", partial(_said, holds), partial(_said, holds, 1))',
        "2",
    ): "the self-test needs a piece that is passed over, and two will do",
    ("evidence/self_tests/evaluated.py", "both = partial(_untrue, [_X > 0, _Y > 0])", "(_X >= 0)"): (
        "the self-test is about the second formula; the first only has to be true in the model"
    ),
    (
        "evidence/self_tests/evaluated.py",
        'Trial("evaluated: the second of two formulas", partial(both, {"x": 1, "y": 1}), partial(both, {"x": 1})),',
        "2",
    ): "the self-test needs models with numbers above 0, and any will do",
    (
        "evidence/self_tests/evaluated.py",
        '"a choice": (smt.If(_X == _Y, _X, 7) > 6, {"x": 1, "y": 2}, {"x": 1, "y": 1}),',
        "(smt.If(_X == _Y, _X, 7) >= 6)",
    ): "the self-test needs a bound between the two numbers that are chosen from",
    (
        "proofs/own/teeth.py",
        "_turned(lambda part: Segment(QUEUES, Element(PLACE)), lambda part: smt.And(0 <= AT, AT < QUEUES)),",
        "(0 < AT)",
    ): "a mistake that proofs have to notice, and another one will do",
    (
        "report/cluster.py",
        "by = {tally.machine: tally.how for one in of[:1] for tally in one.tallies}",
        "2",
    ): "each verdict has the same machines, held in the same way",
    (
        "evidence/self_tests/evaluated.py",
        '"a negation": (smt.Not(smt.Implies(smt.Bool("x"), _Y >= 0)), {"x": 1, "y": -1}, {"x": 0, "y": -1}),',
        "2",
    ): "the self-test needs a number other than 0, or below 0, and any will do",
    (
        "evidence/self_tests/records.py",
        "group = CLAIM.world.group(CLAIM.subjects, 1, 1, (0,) * len(CLAIM.world.radices(1, 1)))",
        "2",
    ): "the self-test needs a group, and any will do",
    ("cli/player.py", "while len(letters) < 8 and select.select([source], [], [], PAUSE)[0]:", "9"): (
        "it bounds what is read of a sequence that means nothing; none that means something is half as long"
    ),
    ("cli/list_.py", "for claim, sentence in zip(group, sentences, strict=True):", "False"): (
        "both are of one length, and always were"
    ),
}
"""File, line of source, what stands there in place of what the fault changes -> the reason."""
