"""Codes of one's own, each for what is special about it: those that can be read, and those that say why not."""

import re
import textwrap
from collections.abc import Iterator

OWNERS = (
    "p % c",
    "p // ((q + c - 1) // c)",
    "min(p // (q // c), c - 1)",
    "max(-1 + c - p, 0) * 2 if q >= c else 0",
    *(f"0 if p {how} q - 1 else c - 1" for how in ("<", "<=", ">", ">=", "==", "!=")),
)
"""Formulas for the owner of a position, as one writes them."""
HEAD = """
def of_{number}(current_cid, mq_all, cid_all):
    q, c, i = len(mq_all), len(cid_all), cid_all.index(current_cid)
"""
BODIES = """
# appended in steps
taken = []
for p in range(i, q, c):
    taken.append(mq_all[p])
return taken
# appended from one place on
taken = []
for p in range(i * 2, i * 2 + 2):
    taken.append(mq_all[p])
return taken
# as many as consumers
return [mq_all[p] for p in range(c)]
# in some turns
taken = []
for p in range(q):
    if p % c == i:
        taken.append(mq_all[p])
return taken
# those that are not left out
taken = []
for p in range(1, q):
    if not p % c == i:
        continue
    taken.append(mq_all[p])
return taken
# within two conditions
return [x for p, x in enumerate(mq_all) if p >= i if p - i < 2]
# one of two conditions
return [x for p, x in enumerate(mq_all) if p == i or (p > q and p <= c)]
# what is counted is compared
return [x for p, x in enumerate(mq_all) if i * 3 <= p < i * 3 + 3 and p != q]
# two loops
taken = []
for p in range(i, i + 1):
    taken.append(mq_all[p])
for p in range(c + i, c + i + 1):
    taken.append(mq_all[p])
return taken
# least and greatest
return mq_all[min(i, q):max(i, min(q, i + 1))]
# a choice
a = q - 1 if i > q else i
a, b = a + 1, -a
a -= 1
a *= 1
return mq_all[a:a - b - a + 1]
# division
size, rest = divmod(q, c)
n: int = size
n += 1 if i < rest else 0
return mq_all[i * size:i * size + n]
# slices
if i == 0:
    return mq_all[:c]
if i == 1:
    return mq_all[c:]
return mq_all[:q:2]
# nothing
return []
# nothing where there is nothing
if not mq_all:
    return []
if not cid_all or not c:
    return []
return mq_all[i::c]
# an id that is not there
if current_cid not in cid_all:
    return []
return mq_all[i::c]
# exceptions
if c < 1:
    raise AllocationError
if q < 0:
    raise AllocationError('%s' % q)
return mq_all[i::c]
# an exception in a turn
taken = []
for p in range(q):
    if p > 10 * q:
        raise AllocationError(f'{p}')
    if p % c == i:
        taken.append(mq_all[p])
return taken
# a negative index
return mq_all[i - 1::c]
# an index that may be none
first = mq_all[q - c]
return mq_all[i::c] if first else []
# a divisor that may be none
return mq_all[i * (q // (c - 1)):]
# an exception behind a division
if q // c > 5:
    raise AllocationError('')
return mq_all[i::c]
# an exception of Python's
if q > 1000:
    raise ValueError
return mq_all[i::c]
# turns that append twice
t = []
for x in mq_all:
    t.append(x)
    t.append(x)
return t
# some turns of a loop in steps
t = []
for p in range(0, q, c):
    if p > i:
        t.append(mq_all[p])
return t
# a part that is appended in some turns
t = []
for p in range(q):
    if p % c == i:
        t.append(mq_all[p])
for p in range(1):
    t.append(mq_all[p])
return t
# another queue in some turns
t = []
for p in range(q):
    if p % c == i:
        t.append(mq_all[q - 1 - p])
return t
# a turn that always raises
for p in range(q):
    raise AllocationError('')
return []
# both lists
return [x for x in cid_all]
# the name of a queue
return [x for x in mq_all if x.broker_name == 'a']
# a slice of anything
t = mq_all[i:]
return t[1:]
# places of anything
return [x for p, x in enumerate(cid_all)]
# is
return mq_all if i is c else []
# a star
return mq_all[max(*cid_all):]
# a name of a translation
made_1 = 1
return mq_all[made_1:]
# a sum
return mq_all[sum([i]):]
"""
"""Bodies of functions, each after a line that says what is special."""


def bodies() -> dict[str, str]:
    """What is special about a code -> the body of its function."""
    found = re.split(r"^# (.*)\n", BODIES, flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], found[1::2], strict=True))


def module() -> Iterator[str]:
    """A module with a function for each of them: ``of_0``, ``of_1``."""
    yield "from rebalance_proofs.model.allocation.strategy import AllocationError\n"
    for number, body in enumerate(bodies().values()):
        yield HEAD.format(number=number)
        yield textwrap.indent(body, "    ")
