"""Many cases in one test: all are executed, and every failing one is named."""

import inspect

import pytest

from tests.each import each


def failure(test, **fixtures) -> str:
    """What the test fails with."""
    with pytest.raises(pytest.fail.Exception) as failed:
        test(**fixtures)
    return str(failed.value)


def test_every_failing_case_is_named_with_its_line():
    tried = []

    @each("number", range(6), ids=lambda number: f"number {number}")
    def test(number):
        tried.append(number)
        assert number not in (1, 4), "odd"
        assert 6 // (number - 3), "few"

    said = failure(test)
    assert tried == [0, 1, 2, 3, 4, 5]
    assert said.startswith("3 of 6 cases fail:\n[number 1] ")
    assert "test_each.py:" in said
    assert "[number 3] " in said
    assert "ZeroDivisionError: " in said
    assert "[number 4] " in said
    assert "[number 5] " not in said


def test_decorated_test_passes_if_all_cases_hold():
    @each(("one", "other"), [(1, 2), pytest.param(2, 3, id="another")])
    def test(one, other):
        assert one + 1 == other

    test()


def test_empty_list_of_cases_fails():
    @each("number", [])
    def test(number):
        pytest.fail("there is none")

    with pytest.raises(AssertionError, match="there is no case"):
        test()


def test_several_lists_form_all_combinations_and_keep_fixtures():
    tried = []

    @each("one", "ab")
    @each("other", [1, 2], ids=["first", "second"])
    def test(other, place, one):
        tried.append((one, other, place))
        assert (one, other) != ("b", 2)

    assert [*inspect.signature(test).parameters] == ["place"]
    said = failure(test, place="here")
    assert tried == [(one, other, "here") for one in "ab" for other in (1, 2)]
    assert said.startswith("1 of 2 cases fail:\n[b] ")
    assert "1 of 2 cases fail:\n[second] " in said


def test_unknown_argument_name_is_refused():
    with pytest.raises(AssertionError, match="has no arguments"):
        each("nothing", [1])(lambda number: None)


def test_case_with_marks_is_refused():
    with pytest.raises(AssertionError, match="a test of its own"):
        each("number", [pytest.param(1, marks=pytest.mark.slow)])


def test_cases_are_restricted_to_those_of_a_fixture():
    @each("number", range(3), ids=["none", "one", "two"], within="some")
    def test(some, number):
        assert some[("none", "one", "two")[number]] == number

    test(some={"one": 1, "two": 2, "three": 3})
    assert failure(test, some={"one": 1, "two": 1}).startswith("1 of 2 cases fail:\n[two] ")
    with pytest.raises(AssertionError, match="there is no case"):
        test(some={})
