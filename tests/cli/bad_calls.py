"""Wrong calls, by families, each with its message. All end with status 2 and one sentence, and do nothing else.

``{place}`` is the folder that ``test_bad_calls.place`` makes.
"""

from itertools import product

LIST, SHOW, PROVE, ENUMERATE, VERIFY, CONFORM = "list", "show", "prove", "enumerate", "verify", "conform"
SOLVING, SPARK, WRITING = (PROVE, ENUMERATE, VERIFY), (ENUMERATE, VERIFY), (PROVE, ENUMERATE, VERIFY, CONFORM)

JOBS = "is not in the range 1<=x<=256"
TIMEOUT = "is not in the range 0.001<=x<=86400"
SEED = "is not in the range 0<=x<=4294967295"
OTHERS = "'{place}/mine' is not empty and not the directory of an earlier run; name a new or empty folder"
NO_MASTER = "is not a Spark master URL; write it like local[2], spark://host:7077, yarn or k8s://..."
WITHOUT = "leave out --vectors to use this project's recordings"
NO_VECTORS = "contains no vector file (*.tsv or *.jsonl, plain or gzipped)"


def _number(*whole: str) -> dict[str, str]:
    return {text: f"{text!r} is not a valid whole number" for text in ("many", "1.5", "", "0x2", *whole)}


NO_BASELINES = {
    "/": "it is a directory",
    "/dev/null": "it is not a file",
    "{place}/mine": "it is a directory",
    "{place}/none": "No such file or directory",
    "{place}/file": "it is ",
    "{place}/file/below": "Not a directory",
    "{place}/pipe/avg.tsv": "it is not a file",
}

OPTIONS: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "--jobs": (SOLVING, _number() | {n: f"{n} {JOBS}" for n in ("0", "-1", "257", "99999999999999999999")}),
    "--queues": (
        SPARK,
        {text: f"{text!r} is not a valid integer" for text in ("many", "2.5", "")}
        | {n: f"--queues {n} is out of range; give a number from 1 to 512" for n in ("0", "-3", "513", "1000000")},
    ),
    "--consumers": (
        SPARK,
        {text: f"{text!r} is not a valid integer" for text in ("many", "2.5", "")}
        | {n: f"--consumers {n} is out of range; give a number from 1 to 512" for n in ("0", "-3", "513", "1000000")},
    ),
    "--timeout": (
        (PROVE, VERIFY),
        {text: f"{text!r} is not a valid number of seconds" for text in ("soon", "", "20s")}
        | {"nan": "'nan' is not a number of seconds", "0": f"0.0 {TIMEOUT}", "-1": f"-1.0 {TIMEOUT}"}
        | {
            "inf": f"inf {TIMEOUT}",
            "-inf": f"-inf {TIMEOUT}",
            "1e400": f"inf {TIMEOUT}",
            "86401": f"86401.0 {TIMEOUT}",
        },
    ),
    "--seed": ((PROVE, VERIFY), _number("1.0") | {n: f"{n} {SEED}" for n in ("-1", "4294967296")}),
    "--stability": ((PROVE,), _number() | {n: f"{n} is not in the range 0<=x<=10000" for n in ("-1", "10001")}),
    "--solver": (
        SOLVING,
        {name: f"{name!r} is not one of 'z3', 'cvc5'" for name in ("yices", "", "Z3", "z3,cvc5", "all")},
    ),
    "--output": (
        WRITING,
        {"": "'' is not a folder name; name a new or empty folder", " ": "' ' is not a folder name"}
        | {"/": "'/' is not empty and not the directory of an earlier run", "{place}/mine": OTHERS}
        | {"{place}/file": "cannot write results to '{place}/file': Not a directory"}
        | {"{place}/file/below": "cannot write results to '{place}/file/below': Not a directory"},
    ),
    "--answers": (
        (PROVE,),
        {"": "'' is not a folder name; name a new or empty folder", " ": "' ' is not a folder name"}
        | {"/": "'/' is not empty and contains no answers of earlier runs; name a new or empty folder with --answers"}
        | {"{place}/mine": "'{place}/mine' is not empty and contains no answers of earlier runs"}
        | {"{place}/pipe": "'{place}/pipe' is not empty and contains no answers of earlier runs"}
        | {"{place}/file": "cannot store answers in '{place}/file': Not a directory"}
        | {"{place}/file/below": "cannot store answers in '{place}/file/below': Not a directory"},
    ),
    "--baseline": (
        (PROVE, VERIFY),
        {"": "'' is not a file name; name the results.json of an earlier run", " ": "' ' is not a file name"}
        | {path: f"cannot compare with the baseline {path!r}: {said}" for path, said in NO_BASELINES.items()},
    ),
    "--vectors": (
        (VERIFY, CONFORM),
        {"": f"'' is not a folder name; {WITHOUT}", " ": f"' ' is not a folder name; {WITHOUT}"}
        | {"{place}/none": "cannot read vectors from {place}/none: No such file or directory"}
        | {"{place}/file": "cannot read vectors from {place}/file: Not a directory"}
        | {"{place}/empty": f"{{place}}/empty {NO_VECTORS}", "{place}/mine": f"{{place}}/mine {NO_VECTORS}"}
        | {"{place}/folder": "cannot read vectors from {place}/folder/avg.tsv: it is a directory, not a file"}
        | {"{place}/pipe": "cannot read vectors from {place}/pipe/avg.tsv: it is a named pipe, not a file"}
        | {"{place}/\x1b[31m": "cannot read vectors from {place}/\\u001b[31m: No such file or directory"},
    ),
    "--master": (
        SPARK,
        {
            "": "'' is not a Spark master; leave out --master to run Spark on this machine",
            " ": "' ' is not a Spark master",
        }
        | {
            name: f"{name!r} {NO_MASTER}"
            for name in ("somewhere", "spark://", "spark://host", "spark://host:port", "spark://a:1,b", "local[0]")
        }
        | {name: f"{name!r} {NO_MASTER}" for name in ("local[x]", "local[", "http://host:1", "a\x1b[31m")}
        | {"spark://127.0.0.1:1": "no Spark master answers at spark://127.0.0.1:1"},
    ),
}
"""Option -> (commands, value -> message)."""

CLAIMS = {
    "allocation.avg.disjiont": "'allocation.avg.disjiont'; did you mean 'allocation.avg.disjoint'",
    "allocation.avg": "did you mean 'allocation.avg.disjoint'? `rebalance list 'allocation.avg.**'` lists all below",
    "nothing.*": "unknown claim or name 'nothing.*'; `rebalance list` lists all claims",
    "CONSISTENT_HSAH": "'CONSISTENT_HSAH'; did you mean 'CONSISTENT_HASH'",
    "6.0": "unknown claim or name '6.0'",
    "": "unknown claim or name ''",
    "allocation..disjoint": "unknown claim or name 'allocation..disjoint'",
    "allocation.avg.disjoint.": "'allocation.avg.disjoint.'; did you mean 'allocation.avg.disjoint'",
    "transition.java_v5_2.listener": "did you mean 'transition.java_v5_2.listener.push-orderly'",
    "clients.hash.covers": "unknown claim or name 'clients.hash.covers'",
    "*.nothing": "unknown claim or name '*.nothing'",
    "**.nothing": "unknown claim or name '**.nothing'",
    "a b": "unknown claim or name 'a b'",
    "a\x1b[31m": "unknown claim or name 'a\\x1b[31m'",
    "émile": "unknown claim or name 'émile'",
}
"""Text in place of a claim -> message."""

Call = tuple[tuple[str, ...], str]
"""Arguments, and a part of the sentence."""

VALUES: list[Call] = [
    ((command, option, value), said)
    for option, (commands, values) in OPTIONS.items()
    for command in commands
    for value, said in values.items()
]
WITHOUT_VALUE: list[Call] = [
    ((command, option), f"Option {option!r} requires an argument")
    for option, (commands, _) in OPTIONS.items()
    for command in commands
]
UNKNOWN: list[Call] = [
    ((command, option), said)
    for command in (LIST, *WRITING)
    for option, said in {
        "--no-such-option": "No such option '--no-such-option'",
        "-z": "No such option '-z'",
        "--jsn": "'--json'?",
        "--json=yes": "Option '--json' does not take a value",
    }.items()
]
TOGETHER: list[Call] = [
    *(
        ((command, "--overwrite"), "--overwrite needs --output DIR, the run directory")
        for command in (PROVE, ENUMERATE, CONFORM)
    ),
    *(((command, "--quick", "--thorough"), "--quick and --thorough exclude each other") for command in SPARK),
    ((ENUMERATE, "--solver", "both"), "'both' is not one of 'z3', 'cvc5'"),
    ((ENUMERATE, "--parquet"), "--parquet needs --output DIR"),
    ((VERIFY, "--vectors", "{place}/empty", "--no-vectors"), "--vectors and --no-vectors exclude each other"),
    *(((command, "--answers", "{place}/new"), "No such option '--answers'") for command in (SHOW, ENUMERATE, VERIFY)),
    *(((command, "--baseline", "{place}/new"), "No such option '--baseline'") for command in (SHOW, ENUMERATE)),
]
SURPLUS: list[Call] = [
    ((SHOW, "allocation.avg.disjoint", "hash"), "Got unexpected extra argument (hash)"),
    ((CONFORM, "avg.tsv"), "Got unexpected extra argument (avg.tsv)"),
]
COMMANDS: list[Call] = [
    (("prv",), "unknown command 'prv'; did you mean 'prove'?"),
    (("verfy",), "unknown command 'verfy'; did you mean 'verify'?"),
    (("",), "unknown command ''"),
    (("help", "prv"), "unknown command 'prv'; did you mean 'prove'?"),
    (("--quick",), "No such option '--quick'"),
]

FAMILIES: dict[str, list[Call]] = {
    "values": [
        call for call in VALUES if call[0][1] not in ("--output", "--answers", "--baseline", "--vectors", "--master")
    ],
    "folders": [call for call in VALUES if call[0][1] in ("--output", "--answers")],
    "files": [call for call in VALUES if call[0][1] in ("--baseline", "--vectors")],
    "masters": [call for call in VALUES if call[0][1] == "--master"],
    "options without a value": WITHOUT_VALUE,
    "claims": [
        ((command, claim), said)
        for command, (claim, said) in product((LIST, SHOW, PROVE, ENUMERATE, VERIFY), CLAIMS.items())
    ],
    "unknown options": UNKNOWN,
    "options together": TOGETHER,
    "surplus arguments": SURPLUS,
    "missing arguments": [((SHOW,), "Missing argument 'CLAIM'")],
    "commands": COMMANDS,
}
CALLS = [call for family in FAMILIES.values() for call in family]
