"""Settings of name server and brokers."""

from rebalance_proofs.recorded.live.settings import write_logging, write_properties


def test_properties_are_escaped_for_java(tmp_path):
    """``Properties.load`` reads Latin-1 in every locale; backslashes and other characters are escaped."""
    path = write_properties(tmp_path / "conf" / "b.properties", {"a": "C:\\logs", "b": "/tmp/Größe", "c": True, "d": 7})
    assert path.read_bytes() == b"a=C:\\\\logs\nb=/tmp/Gr\\u00f6\\u00dfe\nc=true\nd=7\n"


def test_logging_settings_have_the_name_that_each_release_looks_for_first(tmp_path):
    """RocketMQ 5 looks for ``rmq.logback.xml`` before the broker's settings, which are in the broker's jar."""
    write_logging(tmp_path, "client")
    found = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "conf").iterdir()}
    assert set(found) == {"logback_client.xml", "rmq.client.logback.xml", "rmq.logback.xml"}
    assert found["rmq.logback.xml"] == found["rmq.client.logback.xml"]
    assert "org.apache.rocketmq.logging.ch.qos.logback" in found["rmq.logback.xml"]
    assert "org.apache.rocketmq.logging" not in found["logback_client.xml"]
