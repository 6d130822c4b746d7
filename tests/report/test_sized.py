"""Texts within a limit."""

from hypothesis import given
from hypothesis import strategies as st

from rebalance_proofs.report.results.markdown import Part, within

PARTS = st.lists(
    st.builds(Part, st.sampled_from(["tables", "words"]), st.lists(st.text(max_size=400)), st.text(), st.text()),
    max_size=6,
)


@given(PARTS, st.integers(2_000, 8_000))
def test_text_stays_within_the_limit_and_says_what_is_missing(parts, most):
    told = within(parts, most, "See there.")
    assert len(told.encode()) <= most
    whole = sum(len(text.encode()) + 4 for part in parts for text in (*part.texts, part.before, part.after))
    if whole < most - 1_000:
        assert "Left out" not in told
        assert all(text in told for part in parts for text in part.texts)
    elif "Left out" not in told:
        assert all(text in told for part in parts for text in part.texts)


def test_text_that_fits_is_complete_and_in_order():
    parts = [
        Part("head", ["# Head"]),
        Part("words", ["a" * 900, "b" * 900, "c"], "<", ">"),
        Part("more", ["d" * 9_999]),
    ]
    told = within(parts, 2_000, "See there.")
    assert told == (
        "# Head\n\nLeft out, because a job summary holds no more than 1 MiB: 1 of 3 words and more. See there.\n\n<\n\n"
        + "a" * 900
        + "\n\nc\n\n>\n"
    )
