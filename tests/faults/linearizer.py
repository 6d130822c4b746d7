"""Faults in `linearize`: it adds or rewrites something that is not true."""

from tests.faults.fault import fault, proving

IDLE = proving("allocation.avg.idle")

FAULTS = (
    fault(
        "remainder-never-the-largest",
        "_Names.divide",
        "euclid = smt.And(x == self.multiply(y, quotient) + remainder, 0 <= remainder, remainder < y)",
        "euclid = smt.And(x == self.multiply(y, quotient) + remainder, 0 <= remainder, remainder < y - 1)",
        IDLE,
        "((q mod c) < (c - 1)))) is false at ",
    ),
    fault(
        "instance-without-premises",
        "_named",
        "named = names.rewrite(smt.Implies(smt.And(list(said.given.values())), said.then))",
        "named = names.rewrite(said.then)",
        IDLE,
        "one-each: an instance of a lemma is false: ((0 * (q div c)) <= (q div c) * c) is false at ",
    ),
    fault(
        "division-by-anything",
        "_Names.divide",
        "self.definitions[key] = smt.Implies(y > 0, euclid)",
        "self.definitions[key] = euclid",
        IDLE,
        "and ((q mod c) < c)) is false at ",
    ),
    fault(
        "difference-cut-short",
        "_Names.multiply",
        "return first - smt.Sum(others)",
        "return first",
        f"{proving('movement.avg.moved')} --no-width",
        "is false at ",
    ),
    fault(
        "branches-exchanged",
        "_Names.multiply",
        "return smt.If(parts[0], self.multiply(parts[1], right), self.multiply(parts[2], right))",
        "return smt.If(parts[0], self.multiply(parts[2], right), self.multiply(parts[1], right))",
        proving("allocation.avg.balanced"),
        "is false at ",
    ),
    fault(
        "lemma-without-premise",
        "MONOTONE",
        "({'z is not negative': v.z >= 0, 'x at",
        "({'x at",
        IDLE,
        "an instance of a lemma is false: ",
    ),
)
