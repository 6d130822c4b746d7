"""CONSISTENT_HASH of Java 4.9 hashes bytes of the platform's charset; read from the sources, not recorded."""

from itertools import chain

import pytest

from rebalance_proofs.model.allocation.consistent_hash import CONSISTENT_HASH, md5_hash
from rebalance_proofs.model.profiles import JAVA_V4, JAVA_V5, java_v4
from rebalance_proofs.model.queues import one_broker

QUEUES = one_broker(8)
IDS = ("c0", "c\u00fc")


def owned(profile, cid, cid_all=IDS, **arguments):
    """The queueIds that a consumer gets."""
    strategy = profile.strategy("CONSISTENT_HASH")
    if arguments:
        strategy = profile.configured(strategy, **arguments)
    return [queue.queue_id for queue in profile.allocate(strategy, cid, QUEUES, cid_all)]


def shares(profile, cid_all=IDS, **arguments):
    """The same for everybody."""
    return [owned(profile, cid, cid_all, **arguments) for cid in cid_all]


def test_platform_charsets_change_owners_of_non_ascii_ids():
    """Each platform alone divides the queues; a group on both consumes some twice and others not at all."""
    latin, utf = java_v4("iso-8859-1"), java_v4()
    assert shares(latin) != shares(utf)
    for profile in (latin, utf):
        assert sorted(chain(*shares(profile))) == list(range(8))
    together = [*owned(latin, IDS[0]), *owned(utf, IDS[1])]
    assert sorted(together) != list(range(8))


@pytest.mark.parametrize("charset", ["ascii", "iso-8859-1", "cp1252", "gbk"])
def test_ascii_ids_are_safe_in_ascii_charsets(charset):
    assert shares(java_v4(charset), ("c0", "c1")) == shares(JAVA_V5, ("c0", "c1"))


def test_unencodable_character_is_a_question_mark():
    assert md5_hash("\u00e9\U0001f600", "ascii") == md5_hash("??")
    assert shares(java_v4("ascii"), ("\u00e9", "\u00fc")) == [[], list(range(8))]


def test_charset_is_kept_with_other_virtual_nodes():
    assert shares(java_v4("iso-8859-1"), virtual_nodes=3) != shares(java_v4(), virtual_nodes=3)


def test_utf_8_is_the_default_as_in_5():
    assert java_v4("UTF-8").strategy("CONSISTENT_HASH") is not None
    assert JAVA_V4.strategy("CONSISTENT_HASH") is CONSISTENT_HASH is JAVA_V5.strategy("CONSISTENT_HASH")
    assert shares(java_v4("UTF-8")) == shares(JAVA_V5)


def test_charset_changes_only_the_hash():
    assert [each for each in java_v4("gbk").strategies if each not in JAVA_V4.strategies] == [
        java_v4("gbk").strategy("CONSISTENT_HASH")
    ]


def test_unknown_charset_is_refused():
    with pytest.raises(LookupError, match=r"^unknown encoding: latin-nothing$"):
        java_v4("latin-nothing")
