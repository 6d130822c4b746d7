"""Settings of name server and brokers."""

from rebalance_proofs.recorded.live.settings import write_properties


def test_properties_are_escaped_for_java(tmp_path):
    """``Properties.load`` reads Latin-1 in every locale; backslashes and other characters are escaped."""
    path = write_properties(tmp_path / "conf" / "b.properties", {"a": "C:\\logs", "b": "/tmp/Größe", "c": True, "d": 7})
    assert path.read_bytes() == b"a=C:\\\\logs\nb=/tmp/Gr\\u00f6\\u00dfe\nc=true\nd=7\n"
