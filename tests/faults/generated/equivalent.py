"""Generated faults with which the program does the same, as far as anybody wants to know; each with the reason."""

from collections.abc import Mapping

EQUIVALENT: Mapping[tuple[str, str, str], str] = {
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
    **{
        ("cli/player.py", "while len(letters) < 8 and select.select([source], [], [], PAUSE)[0]:", new): (
            "it bounds what is read of a sequence that means nothing; none that means something is half as long"
        )
        for new in ("9", "(len(letters) <= 8)")
    },
    ("cli/explore.py", "require_room(expected, 0 if master else memory * MB, states)", "1"): (
        "no state has room in one byte either"
    ),
    (
        "proofs/code/transition.py",
        "queue, topic = queue_of(0, mine, retry), queue_of(0, 1, retry).topic",
        "2",
    ): "either number is a truth value there: the topic is the client's own",
    (
        "proofs/models/evaluated.py",
        "if self._learning and max(map(abs, model.values()), default=0) <= LARGEST:",
        "1",
    ): "a model without numbers has none that is too large either way",
    ("proofs/smt/linear.py", "numerals = bool(children) and all(map(smt.is_int_value, children))", "any"): (
        "a term that has nothing to rewrite is built once more, and is the same"
    ),
    ("proofs/texts.py", "SAMPLES = 512", "513"): "so many samples, or one more",
    ("evidence/self_tests/transitions.py", "right = partial(said_of, Tables(NODE, PUSH, letters, 2).check())", "3"): (
        "the self-test needs more than one queue, and any number will do"
    ),
}
"""File, line of source, what stands there in place of what the fault changes -> the reason."""
