"""What the operators change, and what they leave unchanged."""

import ast

import pytest

from tests.faults.generated.operators import OPERATORS
from tests.faults.generated.sites import sites_of
from tests.faults.tree import rewrite

SOURCE = '''"""1 and 2 of a module."""
from typing import Literal
__all__ = ["a", "b"]
LIMIT: Literal[1, 2] = 3
PAIR = ("é", 4)

class Some:
    """5."""
    def size(self, given: Literal[6] = 7) -> int:
        if any(one < 8 for one in given) and self:
            return f"{9}"
        return {"x": 10, "y": 11}[given]
'''


def changes(operator: str, source: str = SOURCE) -> list[tuple[str, str]]:
    """What the operator puts in place of what."""
    return [(site.old, site.new) for site in sites_of("some.py", source) if site.operator == operator]


@pytest.mark.parametrize(
    ("operator", "expected"),
    [
        (
            "condition negated",
            [("any(one < 8 for one in given) and self", "(not (any((one < 8 for one in given)) and self))")],
        ),
        ("comparison changed", [("one < 8", "(one <= 8)")]),
        (
            "element dropped",
            [
                ('("é", 4)', "(4,)"),
                ('("é", 4)', "('é',)"),
                ('{"x": 10, "y": 11}', "{'y': 11}"),
                ('{"x": 10, "y": 11}', "{'x': 10}"),
            ],
        ),
        ("constant moved", [("3", "4"), ("4", "5"), ("7", "8"), ("8", "9"), ("10", "11"), ("11", "12")]),
        (
            "quantifier exchanged",
            [("any(one < 8 for one in given) and self", "(any((one < 8 for one in given)) or self)"), ("any", "all")],
        ),
    ],
)
def test_each_operator_makes_the_expected_changes(operator, expected):
    assert sorted(changes(operator)) == sorted(expected)


def test_every_change_is_valid_python_and_another_program(tmp_path):
    (tmp_path / "some.py").write_text(SOURCE, encoding="utf-8")
    sites = list(sites_of("some.py", SOURCE))
    assert {site.operator for site in sites} == set(OPERATORS)
    for site in sites:
        before = site.put_into(tmp_path)
        changed = (tmp_path / "some.py").read_text(encoding="utf-8")
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(SOURCE)), site.name
        rewrite(tmp_path / "some.py", before)
    assert (tmp_path / "some.py").read_text(encoding="utf-8") == SOURCE


def test_site_has_its_function_and_a_fixed_place(tmp_path):
    sites = list(sites_of("some.py", SOURCE))
    assert {site.function for site in sites} == {"", "Some.size"}
    (tmp_path / "some.py").write_text(SOURCE.replace("10", "12"), encoding="utf-8")
    of_ten = next(site for site in sites if site.old == "10")
    with pytest.raises(ValueError, match="has something else in line 12"):
        of_ten.put_into(tmp_path)


@pytest.mark.parametrize(
    "source",
    [
        "if TYPE_CHECKING:\n    pass\n",
        "def f(x: Literal[1, 2]) -> Literal[3]: ...\n",
        "Fields = Mapping[str, object]\n",
        "@slots(True)\nclass A: ...\n",
        "zip(a, b, strict=True)\n",
    ],
)
def test_code_without_computation_is_left_alone(source):
    assert list(sites_of("some.py", source)) == []
