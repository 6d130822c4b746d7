"""Unsupported operations on symbolic values raise one error that names them, and compute nothing wrong."""

import textwrap

import pytest

from rebalance_proofs.model.allocation.averagely import allocate
from rebalance_proofs.model.allocation.machine_room import KINDS
from rebalance_proofs.proofs.code.explore import Inputs, explore
from rebalance_proofs.proofs.code.run import Unsupported
from rebalance_proofs.proofs.code.source import Code
from tests.each import each

ROOMS = Inputs("m", "q", KINDS)

REFUSED = {
    "a count over turns": (
        "n = 0\nfor i in range(len(mq_all)):\n    n = n + 1\nreturn result",
        "'n', which may not be",
    ),
    "a turn that looks back": (
        "for i in range(len(mq_all)):\n    if i > 0:\n        result.append(last)\n    last = mq_all[i]\nreturn result",
        "'last', which may not be set",
    ),
    "what a loop leaves": ("for i in range(len(mq_all)):\n    x = i\nresult.append(mq_all[x])\nreturn result", "'x'"),
    "the loop's variable behind it": ("for i in range(3):\n    pass\nreturn result", "Pass, line 4"),
    "while": ("while mq_all:\n    result.append(mq_all[0])\nreturn result", "While, line 3"),
    "break": ("for i in range(len(mq_all)):\n    break\nreturn result", "Break, line 4"),
    "return out of a loop": ("for i in range(len(mq_all)):\n    return result\nreturn result", "Return, line 4"),
    "a slice": ("return mq_all[1:]", "Slice"),
    "a comprehension": ("return [queue for queue in mq_all]", "ListComp"),
    "a list with something in it": ("return [mq_all[0]]", "List, line 3"),
    "a set": ("seen = {1}\nreturn result", "Set, line 3"),
    "changing a list otherwise": ("result.insert(0, mq_all[0])\nreturn result", "Expr, line 3"),
    "popping": ("x = result.pop()\nreturn result", "a call of 'pop'"),
    "augmented assignment": ("index = 0\nindex += 1\nreturn result", "AugAssign"),
    "reading what the loop makes": (
        "for i in range(len(mq_all)):\n    if len(result) < 3:\n        result.append(mq_all[i])\nreturn result",
        "reads a list to which it appends",
    ),
    "appending twice": (
        "for i in range(len(mq_all)):\n    result.append(mq_all[i])\n    result.append(mq_all[i])\nreturn result",
        "appends twice",
    ),
    "loops in loops": (
        "for i in range(len(mq_all)):\n    for j in range(3):\n        result.append(mq_all[j])\nreturn result",
        "inside another",
    ),
    "turns that raise": (
        "for i in range(3):\n    x = check('', mq_all, cid_all)\nreturn result",
        "always raises",
    ),
    "turns that all raise": (
        "for i in range(3):\n    if i > 1:\n        x = check('', mq_all, cid_all)\n"
        "    x = check('', mq_all, cid_all)\nreturn result",
        "always raises",
    ),
    "a list in a loop": ("for i in range(len(mq_all)):\n    own = []\nreturn result", "created inside a loop"),
    "a number in the result": ("result.append(len(mq_all))\nreturn result", "a Number in the result"),
    "another result": ("return len(mq_all)", "an unknown number as the result"),
    "nothing": ("return None", "a NoneType as the result"),
    "another id": ("x = cid_all.index(1)\nreturn result", "own id"),
    "reading ids": ("x = cid_all[0]\nreturn result", "TypeError"),
    "comparing queues": ("x = mq_all[0] == mq_all[1]\nreturn result", "a queue in a comparison"),
    "a broker's name": ("x = mq_all[0].broker_name\nreturn result", "broker name of a queue"),
    "another attribute": ("x = mq_all[0].queue_id\nreturn result", "AttributeError"),
    "a name of Python": ("x = sum(mq_all)\nreturn result", "Python's own sum"),
    "a name of nothing": ("x = nothing\nreturn result", "NameError"),
    "a number with a text": ("x = len(mq_all) + 'a'\nreturn result", "together with a str"),
    "a number as a text": ("x = f'{len(mq_all)}'\nreturn result", "an unknown number in a text"),
    "a number in a text": ("x = '%s' % len(mq_all)\nreturn result", "an unknown number in a text"),
    "a truth value as a number": (
        "x = (len(mq_all) > 3) == 1\nreturn result",
        "an unknown truth value in a comparison",
    ),
    "an id compared": ("x = current_cid == 'x'\nreturn result", "the consumer's own id in a comparison"),
    "an id among others": ("x = current_cid in ('x', 'y')\nreturn result", "the consumer's own id in a comparison"),
    "lists compared": ("x = mq_all == []\nreturn result", "mqAll or a copy of it in a comparison"),
    "a number in a text's place": ("x = 'abc'[len(mq_all)]\nreturn result", "where Python needs a concrete one"),
    "a name that may not be set": ("if len(mq_all) > 1:\n    x = 1\nresult.append(mq_all[x])\nreturn result", "'x'"),
}


def code(body, head="result = []\n"):
    text = "def allocate(current_cid, mq_all, cid_all):\n" + textwrap.indent(head + body, "    ")
    return Code(text, allocate)


@pytest.mark.parametrize(("body", "said"), REFUSED.values(), ids=REFUSED)
def test_unsupported_operation_is_refused(body, said):
    with pytest.raises(Unsupported) as raised:
        explore(code(body), Inputs())
    assert said in str(raised.value)


KEPT = "for queue in mq_all:\n    if queue.broker_name == 'room1@':\n        kept.append(queue)\n"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (
            KEPT + "for queue in kept:\n    result.append(queue)\nreturn result",
            "a loop over a list that the code built",
        ),
        (KEPT + "kept.append(mq_all[0])\nresult.append(kept[0])\nreturn result", "selected queues of mqAll"),
        (
            "for i in range(len(mq_all)):\n    if i > 2:\n        kept.append(mq_all[i - 1])\nresult.append(kept[0])\n"
            "return result",
            "selected queues of mqAll",
        ),
        ("result.append(kept[0])\nreturn result", "selected queues of mqAll"),
    ],
)
def test_list_of_selected_queues_supports_nothing_else(body, said):
    with pytest.raises(Unsupported, match=said):
        explore(code(body, "result = []\nkept = []\n"), ROOMS)


IN_WORDS = {
    "mq_all[0], x = 1, 2": "an assignment to anything other than one name (Assign, line 3)",
    "x: int": "a name without a value, or an assignment to anything other than a name (AnnAssign, line 3)",
    "x = 1\nx += 1": "an assignment like '+=' to anything other than a name (AugAssign, line 4)",
    "assert mq_all": "'assert' (Assert, line 3)",
    "del mq_all": "'del' (Delete, line 3)",
    "x = {}": "a dictionary (Dict, line 3)",
    "x = {a: a for a in mq_all}": "a dictionary comprehension (DictComp, line 3)",
    "mq_all.sort()": "a call for its side effect, other than append to a list created here (Expr, line 3)",
    "for a in mq_all:\n    x = a\nelse:\n    x = 1": "a loop with 'else' (For, line 3)",
    "def inner():\n    return 1": "a function inside the function (FunctionDef, line 3)",
    "x = (a for a in mq_all)": "a generator (GeneratorExp, line 3)",
    "global x": "'global' (Global, line 3)",
    "import os": "an import inside the function (Import, line 3)",
    "from os import path": "an import inside the function (ImportFrom, line 3)",
    "x = lambda: 1": "a lambda (Lambda, line 3)",
    "x = [1]": "a non-empty list literal (List, line 3)",
    "x = [a for a in mq_all]": "a comprehension that is neither returned nor directly assigned (ListComp, line 3)",
    "match x:\n    case _:\n        x = 1": "'match' (Match, line 3)",
    "x = (y := 1)": "an assignment with ':=' (NamedExpr, line 3)",
    "nonlocal x": "'nonlocal' (Nonlocal, line 3)",
    "pass": "'pass' (Pass, line 3)",
    "raise ValueError('x') from None": "'raise' with 'from' (Raise, line 3)",
    "for a in mq_all:\n    return result": "'return' inside a loop (Return, line 4)",
    "x = {1}": "a set (Set, line 3)",
    "x = {a for a in mq_all}": "a set comprehension (SetComp, line 3)",
    "x = mq_all[1:]": "a slice (Slice, line ",
    "try:\n    x = 1\nexcept ValueError:\n    x = 2": "'try' (Try, line 3)",
    "while mq_all:\n    x = 1": "'while' (While, line 3)",
    "with mq_all:\n    x = 1": "'with' (With, line 3)",
    "for a in mq_all:\n    break": "'break' (Break, line 4)",
    "x = yield": "an unsupported construct (Yield, line 3)",
}


@each(("body", "said"), IN_WORDS.items(), ids=IN_WORDS)
def test_unsupported_operation_is_named(body, said):
    with pytest.raises(Unsupported) as raised:
        explore(code(f"{body}\nreturn result"), Inputs())
    assert str(raised.value).startswith(said), str(raised.value)
