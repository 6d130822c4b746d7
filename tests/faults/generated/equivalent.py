"""Generated faults with which the program does the same, as far as anybody wants to know; each with the reason."""

from collections.abc import Mapping

EQUIVALENT: Mapping[tuple[str, str, str], str] = {
    ("evidence/self_tests/tables.py", "last[:] = ~last if wrong.dtype == np.bool_ else last + 1", "2"): (
        "the self-test needs a wrong number, and any will do"
    ),
    ("cli/settle.py", "lines = json.dumps(document(found), indent=2).splitlines() if as_json else told(found)", "3"): (
        "how JSON is indented"
    ),
    (
        "cli/moves.py",
        "for line in json.dumps(document(group, every), indent=2).splitlines() if as_json else lines:",
        "3",
    ): ("how JSON is indented"),
    (
        "cli/progress.py",
        'columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())',
        "(TextColumn('{task.description}'), MofNCompleteColumn(), TimeElapsedColumn())",
    ): "how a bar looks that is wiped out when the work is done",
    ("cli/list_.py", "for claim, sentence in zip(group, sentences, strict=True):", "False"): (
        "both are of one length, and always were"
    ),
}
"""File, line of source, what stands there in place of what the fault changes -> the reason."""
